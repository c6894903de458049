import type { QueryParameters } from "@clicks/core/values/QueryParameters"
import { Effect, type Option, Predicate, Record, type Result, Runtime, Schema, String } from "effect"
import { flagOf, withFlags } from "./process/parameterOptions.ts"
import { visibleText } from "./terminal/visibleText.ts"

/** Exit codes of the process. */
export const exitCodes = { done: 0, failed: 1, usageError: 2, someRejected: 3 } as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** The result of a command: nothing on success, or another exit code. */
// biome-ignore lint/suspicious/noConfusingVoidType: most commands end without a return
export type CommandResult = ExitCode | void

/** A command failed. `message` is one line for the user. */
export class CommandFailed extends Schema.TaggedError<CommandFailed>()("CommandFailed", {
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {
  override readonly [Runtime.errorExitCode] = exitCodes.failed
}

/** A command was called with invalid options or arguments. `message` says what is valid. */
export class UsageError extends Schema.TaggedError<UsageError>()("UsageError", {
  message: Schema.String
}) {
  override readonly [Runtime.errorExitCode] = exitCodes.usageError
}

/** The reader closed the output, as `head` does. Not a failure. */
export class OutputClosed extends Schema.TaggedError<OutputClosed>()("OutputClosed", {}) {
  override readonly [Runtime.errorExitCode] = exitCodes.done
}

/** Returns the value, or fails with "There is no", the noun and the name. */
export const orNotFound =
  (noun: string, name: string) =>
  <A>(found: Option.Option<A>): Effect.Effect<A, CommandFailed> =>
    Effect.mapError(
      Effect.fromOption(found),
      () => new CommandFailed({ message: `There is no ${noun} ${visibleText(name)}` })
    )

/** The options by the names of their HTTP parameters: --price-max is price_max. */
export const toParameters = (options: object): QueryParameters =>
  Object.fromEntries(Object.entries(options).map(([name, value]) => [String.camelToSnake(name), value]))

/** The fields that have a value. */
export const defined = (fields: Readonly<Record<string, unknown>>) =>
  Record.filter(fields, Predicate.isNotUndefined)

/** Replaces parameters by options in a message of core: those in backticks, and the first word. */
export const aboutOption = (sentence: string): string => withFlags(sentence).replace(/^\w+/, flagOf)

/** Returns the parsed options or fails with a `UsageError`. `rewrite` makes its message refer to options, not to HTTP parameters. */
export const orUsageError = <A>(
  parsed: Result.Result<A, { readonly message: string }>,
  rewrite = aboutOption
): Effect.Effect<A, UsageError> =>
  Effect.mapError(Effect.fromResult(parsed), ({ message }) => new UsageError({ message: rewrite(message) }))
