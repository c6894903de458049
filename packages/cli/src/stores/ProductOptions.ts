import type { Command } from "commander"

/** The filters of products as they are typed; `undefined` where none is given. */
export interface ProductOptions {
  readonly brand?: ReadonlyArray<string>
  readonly category?: ReadonlyArray<string>
  readonly priceMin?: string
  readonly priceMax?: string
  readonly thcMin?: string
  readonly thcMax?: string
  readonly inStock?: string
  readonly search?: string
}

const collect = (value: string, earlier: ReadonlyArray<string> = []) => [...earlier, value]

/** Declares the filters on a command. */
export const withProductOptions = (command: Command): Command =>
  command
    .option("--brand <name>", "products of this brand (repeatable)", collect)
    .option("--category <name>", "products of this category (repeatable)", collect)
    .option("--price-min <dollars>", "minimum price")
    .option("--price-max <dollars>", "maximum price")
    .option("--thc-min <percent>", "minimum THC content")
    .option("--thc-max <percent>", "maximum THC content")
    .option("--in-stock <true|false>", "products in stock, or out of stock")
    .option("--search <text>", "text in name, brand or category")

/** The filters under the names of the HTTP parameters, for `parse` in core. */
export const toProductParameters = (options: ProductOptions) => ({
  brand: options.brand,
  category: options.category,
  price_min: options.priceMin,
  price_max: options.priceMax,
  thc_min: options.thcMin,
  thc_max: options.thcMax,
  in_stock: options.inStock,
  search: options.search
})
