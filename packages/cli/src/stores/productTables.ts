import type { Product } from "@clicks/core/stores/Product"
import type { ProductGroup, ProductGrouping } from "@clicks/core/stores/ProductAggregate"
import { grouped } from "../terminal/format.ts"
import type { Column } from "../terminal/Table.ts"

const dollars = (value: number | null): string => value?.toFixed(2) ?? ""
const percent = (value: number | null): string =>
  value === null ? "" : String(Math.round(value * 100) / 100)
const yesOrNo = (value: boolean | null): string => (value === null ? "" : value ? "yes" : "no")

/** The lowest and the highest value of a group; empty if no product has one. */
const range = (lowest: string, highest: string): string =>
  lowest === highest ? lowest : `${lowest}–${highest}`

export const productColumns: ReadonlyArray<Column<Product>> = [
  { title: "product_id", cell: (product) => product.product_id },
  { title: "name", cell: (product) => product.name ?? "", isOptional: true },
  { title: "brand", cell: (product) => product.brand ?? "", isOptional: true },
  { title: "category", cell: (product) => product.category ?? "", isOptional: true },
  { title: "price", cell: (product) => dollars(product.price), isNumber: true, isOptional: true },
  { title: "thc", cell: (product) => percent(product.thc), isNumber: true, isOptional: true },
  { title: "stock", cell: (product) => yesOrNo(product.in_stock), isOptional: true }
]

/** Columns of groups: counts, prices in dollars and THC contents in percent. */
export const groupColumns = (group_by: ProductGrouping): ReadonlyArray<Column<ProductGroup>> => [
  { title: group_by, cell: (group) => group.key ?? "(none)" },
  { title: "count", cell: (group) => grouped(group.count), isNumber: true },
  { title: "in stock", cell: (group) => grouped(group.in_stock), isNumber: true },
  {
    title: "price",
    cell: (group) => range(dollars(group.price_min), dollars(group.price_max)),
    isNumber: true,
    isOptional: true
  },
  { title: "avg", cell: (group) => dollars(group.price_avg), isNumber: true, isOptional: true },
  { title: "median", cell: (group) => dollars(group.price_median), isNumber: true, isOptional: true },
  {
    title: "thc",
    cell: (group) => range(percent(group.thc_min), percent(group.thc_max)),
    isNumber: true,
    isOptional: true
  },
  { title: "avg thc", cell: (group) => percent(group.thc_avg), isNumber: true, isOptional: true }
]
