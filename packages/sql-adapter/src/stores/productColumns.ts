import { extraFields, type Product } from "@clicks/core/stores/Product"
import { fold } from "@clicks/core/values/Text"
import { PgTypes } from "@effect/sql-pg"
import { Result, type Schema } from "effect"

const { bool, json, numeric, text } = PgTypes.OID

const foldOrNull = (value: string | null): string | null => (value === null ? null : fold(value))
// The shortest decimal, which is what the sender wrote: 0.1 is stored as exactly 0.1.
const decimalOrNull = (value: number | null): string | null => (value === null ? null : String(value))

interface Column {
  readonly type: number
  readonly value: (product: Product) => unknown
}

const columns: Readonly<Record<string, Column>> = {
  product_id: { type: text, value: (product) => product.product_id },
  name: { type: text, value: (product) => product.name },
  brand: { type: text, value: (product) => product.brand },
  category: { type: text, value: (product) => product.category },
  price: { type: numeric, value: (product) => decimalOrNull(product.price) },
  thc: { type: numeric, value: (product) => decimalOrNull(product.thc) },
  in_stock: { type: bool, value: (product) => product.in_stock },
  url: { type: text, value: (product) => product.url },
  name_folded: { type: text, value: (product) => foldOrNull(product.name) },
  brand_folded: { type: text, value: (product) => foldOrNull(product.brand) },
  category_folded: { type: text, value: (product) => foldOrNull(product.category) },
  extra: { type: json, value: extraFields }
}

/** The columns of `store_products` that a product fills, in the order of `toColumns`. */
export const columnNames: ReadonlyArray<string> = Object.keys(columns)

/** Converts products to columns: an array parameter for each of `columnNames`. */
export const toColumns = (products: ReadonlyArray<Product>): ReadonlyArray<PgTypes.Parameter> =>
  Object.values(columns).map(({ type, value }) => Result.getOrThrow(PgTypes.array(products.map(value), type)))

/** A row of `store_products`, with its numbers as double precision. */
export type ProductRow = Pick<
  Product,
  "product_id" | "name" | "brand" | "category" | "price" | "thc" | "in_stock" | "url"
> & { readonly extra: Readonly<Record<string, Schema.Json>> }

export const toProduct = ({ extra, ...fields }: ProductRow): Product => ({ ...fields, ...extra })
