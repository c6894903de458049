import type { Product } from "@clicks/core/stores/Product"
import type { ProductGroup, ProductGrouping } from "@clicks/core/stores/ProductAggregate"
import { grouped } from "../terminal/format.ts"
import { type Column, table } from "../terminal/Table.ts"

const dollars = (value: number | null): string => value?.toFixed(2) ?? ""
const percent = (value: number | null): string =>
  value === null ? "" : String(Math.round(value * 100) / 100)
const yesOrNo = (value: boolean | null): string => (value === null ? "" : value ? "yes" : "no")

const productColumns: ReadonlyArray<Column<Product>> = [
  { title: "product_id", cell: (product) => product.product_id },
  { title: "name", cell: (product) => product.name ?? "" },
  { title: "brand", cell: (product) => product.brand ?? "" },
  { title: "category", cell: (product) => product.category ?? "" },
  { title: "price", cell: (product) => dollars(product.price) },
  { title: "thc", cell: (product) => percent(product.thc) },
  { title: "stock", cell: (product) => yesOrNo(product.in_stock) }
]

/** Products under the titles of what they have; a column that would be empty is left out. */
export const productTable = (products: ReadonlyArray<Product>, width: number): string =>
  table(
    productColumns.filter((column) => products.some((product) => column.cell(product) !== "")),
    products,
    width
  )

const groupColumns = (group_by: ProductGrouping): ReadonlyArray<Column<ProductGroup>> => [
  { title: group_by, cell: (group) => group.key ?? "(none)" },
  { title: "count", cell: (group) => grouped(group.count) },
  { title: "stock", cell: (group) => grouped(group.in_stock) },
  { title: "price", cell: (group) => dollars(group.price_min) },
  { title: "to", cell: (group) => dollars(group.price_max) },
  { title: "mean", cell: (group) => dollars(group.price_avg) },
  { title: "median", cell: (group) => dollars(group.price_median) },
  { title: "thc", cell: (group) => percent(group.thc_min) },
  { title: "to", cell: (group) => percent(group.thc_max) },
  { title: "mean", cell: (group) => percent(group.thc_avg) }
]

/** Groups with their counts, prices and THC contents. */
export const groupTable = (
  group_by: ProductGrouping,
  groups: ReadonlyArray<ProductGroup>,
  width: number
): string => table(groupColumns(group_by), groups, width)
