import type { ClickAction } from "@clicks/core/clicks/ClickEvent"
import { type Command, InvalidArgumentError, Option } from "commander"
import type { TimeOptions } from "./timeOptions.ts"

const actions: ReadonlyArray<ClickAction> = ["view", "open_store", "open_product", "compare", "other"]

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

/** Declares the filter options on a command. */
export const withFilterOptions = (command: Command): Command =>
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
    .option("--product-id <id>", "clicks with this product_id", given)
    .option("--store-id <id>", "clicks with this store_id", given)
    .option("--brand-id <id>", "clicks with this brand_id", given)
    .option("--campaign-id <id>", "clicks with this campaign_id", given)
    .addOption(new Option("--action <action>", "clicks with this action").choices(actions))
    .option("--source <source>", "clicks with this source", given)
    .hook("preAction", readTimes)
