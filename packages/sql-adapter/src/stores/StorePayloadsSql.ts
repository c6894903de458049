import type { Product } from "@clicks/core/stores/Product"
import type { ProductAggregateQuery, ProductGroup } from "@clicks/core/stores/ProductAggregate"
import type { ProductQuery } from "@clicks/core/stores/ProductQuery"
import { type StorePayload, StorePayloads, UnknownStore } from "@clicks/core/stores/StorePayloads"
import { unstorableReason } from "@clicks/core/values/Text"
import { Array, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { operations } from "../operations.ts"
import { transaction } from "../transaction.ts"
import { columnNames, type ProductRow, toColumns, toProduct } from "./productColumns.ts"
import { inOrder, matches } from "./productConditions.ts"

// Limits the memory of one statement's parameters.
const rowsAtOnce = 5000

type PageRow = {
  readonly fetched_at: Date | null
  readonly total: number
} & ((ProductRow & { readonly place: number }) | { readonly place: null })

type GroupRow = ProductGroup | { readonly count: null }

const toProducts = (rows: ReadonlyArray<PageRow>): ReadonlyArray<Product> =>
  rows.flatMap(({ fetched_at: _, total: __, ...row }) => {
    if (row.place === null) return []
    const { place: ___, ...product } = row
    return [toProduct(product)]
  })

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { operation } = operations(sql, "StorePayloads", "store payloads")

  const insert = (store_id: string, products: ReadonlyArray<Product>, from: number) =>
    sql`
      insert into store_products (store_id, position, ${sql.csv(columnNames)})
      select ${store_id}, ${from}::int + place, ${sql.csv(columnNames)}
      from unnest(${sql.csv(toColumns(products).map((column) => sql`${column}`))})
        with ordinality as menu (${sql.csv(columnNames)}, place)`

  // Locks the store's row first, so that concurrent replacements run one after the other.
  const replaceRows = Effect.fnUntraced(function* ({ fetched_at, products, store_id }: StorePayload) {
    const found = yield* sql`
      update stores set fetched_at = ${fetched_at}, product_count = ${products.length}
      where id = ${store_id} returning id`
    if (found.length === 0) return yield* new UnknownStore({ store_id })
    yield* sql`delete from store_products where store_id = ${store_id}`
    for (const [index, chunk] of Array.chunksOf(products, rowsAtOnce).entries()) {
      yield* insert(store_id, chunk, index * rowsAtOnce)
    }
  })

  const replace = operation("replace", function* (payload: StorePayload) {
    if (unstorableReason(payload.store_id) !== undefined) return yield* new UnknownStore(payload)
    yield* transaction(sql, replaceRows(payload))
  })

  // Sorts only positions: sorting whole rows of 50,000 products would spill to disk, and rows that are skipped would be read and cast in
  // vain. The planner lacks statistics of a table that was just filled; "offset 0" keeps it from reading the whole store for the rows of
  // the page (1,000 rows: 5 ms instead of 180).
  const query = operation(
    "query",
    function* (store_id: string, { filter, limit, offset, ...order }: ProductQuery) {
      if (unstorableReason(store_id) !== undefined) return yield* new UnknownStore({ store_id })
      const matching = matches(sql, store_id, filter)
      const total =
        Object.keys(filter).length === 0
          ? sql`stores.product_count`
          : sql`(select count(*)::int from store_products where ${matching})`
      const rows = yield* sql<PageRow>`
    select stores.fetched_at, ${total} as total, page.place::int, found.product_id, found.name, found.brand,
      found.category, found.price::float8, found.thc::float8, found.in_stock, found.url, found.extra
    from stores
    left join (
      select row_number() over () as place, ordered.position from (
        select position from store_products where ${matching}
        order by ${inOrder(sql, order)} limit ${limit} offset ${offset}
      ) as ordered
    ) as page on true
    left join lateral (
      select * from store_products where store_id = ${store_id} and position = page.position offset 0
    ) as found on true
    where stores.id = ${store_id}
    order by page.place`
      const [first] = rows
      if (first === undefined) return yield* new UnknownStore({ store_id })
      return {
        store_id,
        fetched_at: first.fetched_at,
        products: toProducts(rows),
        total: first.total,
        limit,
        offset
      }
    }
  )

  // Means are rounded to 20 decimals, because casting a value that is too small for a double is an error. Medians are rounded to 15 digits,
  // because the median of 10.1 and 10.2 would be 10.149999999999999.
  const aggregate = operation(
    "aggregate",
    function* (store_id: string, { filter, group_by }: ProductAggregateQuery) {
      if (unstorableReason(store_id) !== undefined) return yield* new UnknownStore({ store_id })
      const rows = yield* sql<GroupRow>`
    select groups.* from stores left join (
      select ${sql(group_by)} as key, count(*)::int as count, (count(*) filter (where in_stock))::int as in_stock,
        min(price)::float8 as price_min, max(price)::float8 as price_max,
        round(avg(price), 20)::float8 as price_avg,
        percentile_cont(0.5) within group (order by price::float8)::numeric::float8 as price_median,
        min(thc)::float8 as thc_min, max(thc)::float8 as thc_max, round(avg(thc), 20)::float8 as thc_avg
      from store_products where ${matches(sql, store_id, filter)} group by 1
    ) as groups on true
    where stores.id = ${store_id}
    order by groups.count desc, groups.key collate "C" nulls last`
      if (rows.length === 0) return yield* new UnknownStore({ store_id })
      const groups = rows.filter((row) => row.count !== null)
      return { store_id, group_by, groups, total: groups.reduce((sum, { count }) => sum + count, 0) }
    }
  )

  return StorePayloads.of({ replace, query, aggregate })
})

/** Keeps products in the table `store_products`. */
export const layer: Layer.Layer<StorePayloads, never, SqlClient.SqlClient> = Layer.effect(StorePayloads, make)
