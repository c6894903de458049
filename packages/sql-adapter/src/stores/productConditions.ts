import type { ProductFilter } from "@clicks/core/stores/ProductFilter"
import type { ProductQuery } from "@clicks/core/stores/ProductQuery"
import { fold, unstorableReason } from "@clicks/core/values/Text"
import type { SqlClient, Statement } from "effect/sql"
import { arrayOf } from "../arrayOf.ts"

type Conditions = ReadonlyArray<Statement.Fragment>

const isStorable = (text: string): boolean => unstorableReason(text) === undefined

// A text that cannot be stored matches nothing, and the server would reject it.
const texts = (wanted: ReadonlyArray<string>) => arrayOf("text", wanted.filter(isStorable))

const brands = (sql: SqlClient.SqlClient, { brand }: ProductFilter): Conditions => {
  if (brand === undefined) return []
  const wanted = texts(brand)
  const hashes = sql`array(select hashtextextended(wanted, 0) from unnest(${wanted}) as wanted)`
  return [sql`hashtextextended(brand, 0) = any(${hashes})`, sql`brand = any(${wanted})`]
}

const bounds = (sql: SqlClient.SqlClient, filter: ProductFilter): Conditions =>
  (["price", "thc"] as const).flatMap((field) => {
    const bound = (operator: ">=" | "<=", value: number | undefined): Conditions =>
      value === undefined ? [] : [sql`${sql(field)} ${sql.literal(operator)} ${String(value)}::numeric`]
    return [...bound(">=", filter[`${field}_min`]), ...bound("<=", filter[`${field}_max`])]
  })

// strpos has no patterns, so nothing needs escaping. It takes 16 ms for 50,000 products; LIKE, or one text that joins all three, is no
// faster.
const found = (sql: SqlClient.SqlClient, { search }: ProductFilter): Conditions => {
  if (search === undefined) return []
  if (!isStorable(search)) return [sql`false`]
  const sought = fold(search)
  return [
    sql`(strpos(name_folded, ${sought}) > 0 or strpos(brand_folded, ${sought}) > 0 or strpos(category_folded, ${sought}) > 0)`
  ]
}

/** `ProductFilter.matches` as a condition on the columns of `store_products`. */
export const matches = (
  sql: SqlClient.SqlClient,
  store_id: string,
  filter: ProductFilter
): Statement.Fragment =>
  sql.and([
    sql`store_id = ${store_id}`,
    ...brands(sql, filter),
    ...(filter.category === undefined ? [] : [sql`category = any(${texts(filter.category)})`]),
    ...bounds(sql, filter),
    ...(filter.in_stock === undefined ? [] : [sql`in_stock = ${filter.in_stock}`]),
    ...found(sql, filter)
  ])

const keys = {
  // The first key uses the index; the second orders names with the same prefix.
  name: ["left(name_folded, 100)", "name_folded"],
  brand: ["brand_folded"],
  category: ["category_folded"],
  price: ["price"],
  thc: ["thc"]
} as const

/** The order of a page (`StorePayloads.query`). */
export const inOrder = (
  sql: SqlClient.SqlClient,
  { order, sort }: Pick<ProductQuery, "sort" | "order">
): Statement.Fragment => {
  if (sort === undefined) return sql.literal(`position ${order}`)
  return sql.literal([...keys[sort].map((key) => `${key} ${order} nulls last`), "position"].join(", "))
}
