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
    .option("--brand <name>", "products of this brand (repeatable, any of them)", collect)
    .option("--category <name>", "products of this category (repeatable, any of them)", collect)
    .option("--price-min <dollars>", "products that cost this or more")
    .option("--price-max <dollars>", "products that cost this or less")
    .option("--thc-min <percent>", "products with this much THC or more")
    .option("--thc-max <percent>", "products with this much THC or less")
    .option("--in-stock <true|false>", "products that are, or are not, in stock")
    .option("--search <text>", "products with this in their name, brand or category")

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
