import type { ClickAction } from "@clicks/core/clicks/ClickEvent"
import { type EqualityField, equalityFields } from "@clicks/core/clicks/ClickFilter"
import type { DeviceType } from "@clicks/core/clicks/DeviceType"
import { type Command, InvalidArgumentError, Option } from "commander"
import type { TimeOptions } from "./timeOptions.ts"

export const actions: ReadonlyArray<ClickAction> = ["view", "open_store", "open_product", "compare", "other"]

const choices: { readonly [field in EqualityField]?: ReadonlyArray<string> } = {
  action: actions,
  device_type: ["desktop", "mobile", "tablet"] satisfies ReadonlyArray<DeviceType>
}

// `--from "$SINCE"` with an unset variable must not mean all clicks.
const given = (value: string): string => {
  if (value === "")
    throw new InvalidArgumentError("The value is empty. To disable this filter, omit the option.")
  return value
}

/** Replaces the typed times with instants. */
const readTimes = async (command: Command): Promise<void> => {
  const { readTimeOptions } = await import("./timeOptions.ts")
  const { error, hint, times } = readTimeOptions(command.opts<TimeOptions>(), new Date())
  if (error !== undefined) command.error(`error: ${error}`)
  if (hint !== undefined) process.stderr.write(`clicks: ${hint}\n`)
  for (const [name, instant] of Object.entries(times)) command.setOptionValue(name, instant)
}

const equalityOption = (field: EqualityField): Option => {
  const flag = `--${field.replaceAll("_", "-")} <${field.endsWith("_id") ? "id" : field.replace(/^.*_/, "")}>`
  const option = new Option(flag, `clicks with this ${field}`)
  const known = choices[field]
  return known ? option.choices(known) : option.argParser(given)
}

/** Declares the filter options on a command. */
export const withFilterOptions = (command: Command): Command => {
  command
    .option(
      "--from <time>",
      "clicks at or after this time: 2026-11-01, 2026-11-01T09:30, 2026-11 (start of the month), today, yesterday or 7d (the date 7 days ago)",
      given
    )
    .option("--before <time>", "clicks before this time", given)
    .option("--to <time>", "clicks at or before this time; for whole days, use --before", given)
    .option(
      "--tz <zone>",
      "time zone of the times you give and of times in tables, such as Europe/Berlin (default UTC)",
      given
    )
  for (const field of equalityFields) command.addOption(equalityOption(field))
  return command.hook("preAction", readTimes)
}
