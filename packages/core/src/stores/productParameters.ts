import { choice, flag, number, pageOf, text, texts } from "../values/Parameter.ts"

export const productSorts = ["name", "price", "thc", "brand", "category"] as const
export const sortOrders = ["asc", "desc"] as const
export const productGroupings = ["brand", "category"] as const

/** The filters that query and aggregate share. */
export const productFilters = {
  brand: texts("Products of this brand; repeat to match any of several", "name", "Green Leaf"),
  category: texts("Products of this category; repeat to match any of several", "name", "Flower"),
  price_min: number("Minimum price in dollars", "dollars"),
  price_max: number("Maximum price in dollars", "dollars"),
  thc_min: number("Minimum THC content in percent", "percent"),
  thc_max: number("Maximum THC content in percent", "percent"),
  in_stock: flag("Products in stock, or out of stock. Products without in_stock match neither"),
  search: text("Text in name, brand or category, case-insensitive", "text", "dream")
}

const { limit, offset } = pageOf("products")

/** The parameters of a page, beside the filters. */
export const productListing = {
  sort: choice("Sort field; default: menu order. Products without a value come last", "field", productSorts),
  order: choice("Sort direction", "order", sortOrders, "asc"),
  limit,
  offset
}

/** The parameter of an aggregation, beside the filters. */
export const productGrouping = { group_by: choice("Field to group by", "field", productGroupings) }
