import type { ClickAction } from "@clicks/core/clicks/ClickEvent"
import { type Command, InvalidArgumentError, Option } from "commander"

/** The filters of listing and export as they are typed; `undefined` where none is given. */
export interface FilterOptions {
  readonly from?: string
  readonly to?: string
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

const refuseBackwards = async (command: Command): Promise<void> => {
  const { from, to } = command.opts<FilterOptions>()
  const { parseInstant } = await import("@clicks/core/clicks/Instant")
  const [first, last] = [parseInstant(from ?? ""), parseInstant(to ?? "")]
  if (first !== undefined && last !== undefined && first > last) {
    command.error(`error: --from ${from} is after --to ${to}`)
  }
}

/** Declares the filters on a command. */
export const withFilterOptions = (command: Command): Command =>
  command
    .option("--from <time>", "clicks from this time on; ISO 8601, without an offset UTC", given)
    .option("--to <time>", "clicks up to this time; a bare date is its first instant", given)
    .option("--product-id <id>", "clicks on this product", given)
    .option("--store-id <id>", "clicks in this store", given)
    .option("--brand-id <id>", "clicks on products of this brand", given)
    .option("--campaign-id <id>", "clicks of this campaign", given)
    .addOption(new Option("--action <action>", "clicks of this action").choices(actions))
    .option("--source <source>", "clicks that this source has sent", given)
    .hook("preAction", refuseBackwards)

/** The filters under the names of the HTTP parameters, for `ClickQuery.parse`. */
export const toFilterParameters = (options: FilterOptions) => ({
  from: options.from,
  to: options.to,
  product_id: options.productId,
  store_id: options.storeId,
  brand_id: options.brandId,
  campaign_id: options.campaignId,
  action: options.action,
  source: options.source
})
