import type { ClickAction } from "@clicks/core/clicks/ClickEvent"
import { type Command, InvalidArgumentError, Option } from "commander"
import type { TimeOptions } from "./timeOptions.ts"

/** The filters of listing and export as they are typed; `undefined` where none is given. */
export interface FilterOptions extends TimeOptions {
  readonly productId?: string
  readonly storeId?: string
  readonly brandId?: string
  readonly campaignId?: string
  readonly action?: string
  readonly source?: string
}

const actions: ReadonlyArray<ClickAction> = ["view", "open_store", "open_product", "compare", "other"]

// `--from "$SINCE"` with an unset variable must not mean all clicks.
const given = (value: string): string => {
  if (value === "") throw new InvalidArgumentError("It is empty; leave the option out to filter by nothing.")
  return value
}

/** Replaces times as they are typed with instants. */
const readTimes = async (command: Command): Promise<void> => {
  const { readTimeOptions } = await import("./timeOptions.ts")
  const { error, times } = readTimeOptions(command.opts<FilterOptions>(), new Date())
  if (error !== undefined) command.error(`error: ${error}`)
  for (const [name, instant] of Object.entries(times)) command.setOptionValue(name, instant)
}

/** Declares the filters on a command. */
export const withFilterOptions = (command: Command): Command =>
  command
    .option(
      "--from <time>",
      "clicks from this time on: 2026-11-01, 2026-11-01T09:30, 2026-11 (the month's first instant), today, yesterday or 7d (the date 7 days ago)",
      given
    )
    .option("--before <time>", "clicks before this time", given)
    .option("--to <time>", "clicks up to and including this time; for whole days use --before", given)
    .option("--tz <zone>", "time zone of dates and times, such as Europe/Berlin (default UTC)", given)
    .option("--product-id <id>", "clicks on this product", given)
    .option("--store-id <id>", "clicks in this store", given)
    .option("--brand-id <id>", "clicks on products of this brand", given)
    .option("--campaign-id <id>", "clicks of this campaign", given)
    .addOption(new Option("--action <action>", "clicks of this action").choices(actions))
    .option("--source <source>", "clicks that this source has sent", given)
    .hook("preAction", readTimes)

/** The filters under the names of the HTTP parameters, for `ClickQuery.parse`. */
export const toFilterParameters = (options: FilterOptions) => ({
  from: options.from,
  to: options.to,
  before: options.before,
  tz: options.tz,
  product_id: options.productId,
  store_id: options.storeId,
  brand_id: options.brandId,
  campaign_id: options.campaignId,
  action: options.action,
  source: options.source
})
