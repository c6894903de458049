import { type Command, InvalidArgumentError } from "commander"
import type { Effect } from "effect"
import type { CommandResult } from "../CommandError.ts"
import type { Settings } from "../settings/Settings.ts"
import type { CommandKind } from "./logging.ts"

type Run = (...args: ReadonlyArray<never>) => Effect.Effect<CommandResult, unknown, Settings>

/**
 * The action of a command: runs the function `name` of a module with the arguments and options. The module, and Effect with it, is
 * loaded only then, so that help and completion respond at once.
 */
export const action =
  <Name extends string>(
    load: () => Promise<{ readonly [name in Name]: Run }>,
    name: Name,
    kind?: CommandKind
  ) =>
  async (...args: ReadonlyArray<unknown>): Promise<void> => {
    const [{ run }, module] = await Promise.all([import("./run.ts"), load()])
    run(module[name](...(args as ReadonlyArray<never>)), kind)
  }

/** The help of a group of commands, which ends with examples. The help of each command in the group shows only its own examples. */
export const groupHelp = (help: string) =>
  [
    "afterAll",
    ({ command }: { readonly command: Command }): string => {
      if (command.commands.length > 0) return help
      const call = `clicks ${command.parent?.name()} ${command.name()}`
      const examples = help.match(/^ {2}\S.*(\n {4}.*)*/gm)?.filter((example) => example.includes(call))
      return `\nExample${examples?.length === 1 ? "" : "s"}:\n${examples?.join("\n")}`
    }
  ] as const

/** The option of a command that prints `what` as JSON. */
export const json = (what: string) => ["--json", `print ${what} as JSON`] as const

/** Collects the values of an option that may be repeated. */
export const collect = (value: string, earlier: ReadonlyArray<string> = []) => [...earlier, value]

/** Parses the number given for an option. */
export const toNumber = (text: string): number => {
  const number = text.trim() === "" ? Number.NaN : Number(text)
  if (Number.isFinite(number)) return number
  throw new InvalidArgumentError("Expected a number.")
}
