import type { Command } from "commander"

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

/** Declares the filters on a command. */
export const withFilterOptions = (command: Command): Command =>
  command
    .option("--from <time>", "clicks from this time on; ISO 8601, without an offset UTC")
    .option("--to <time>", "clicks up to this time; a bare date is its first instant")
    .option("--product-id <id>", "clicks on this product")
    .option("--store-id <id>", "clicks in this store")
    .option("--brand-id <id>", "clicks on products of this brand")
    .option("--campaign-id <id>", "clicks of this campaign")
    .option("--action <action>", "view, open_store, open_product, compare or other")
    .option("--source <source>", "clicks that this source has sent")

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
