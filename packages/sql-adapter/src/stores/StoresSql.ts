import type { Store, StoreListing } from "@clicks/core/stores/Store"
import { type StoreQuery, Stores } from "@clicks/core/stores/Stores"
import { compareCodePoints, unstorableReason } from "@clicks/core/values/Text"
import { Array, Clock, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { columnsOf } from "../arrayOf.ts"
import { operations } from "../operations.ts"

const types = { id: "text", name: "text", state: "text", menu_url: "text" } as const

// Sorted by id, so that concurrent saves do not deadlock.
const eachOnce = (listings: ReadonlyArray<StoreListing>): ReadonlyArray<StoreListing> =>
  globalThis.Array.from(new Map(listings.map((listing) => [listing.id, listing])).values()).sort((a, b) =>
    compareCodePoints(a.id, b.id)
  )

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { operation } = operations(sql, "Stores", "stores")
  const columns = sql.literal("id, name, state, menu_url, fetched_at, product_count, created_at, updated_at")

  const save = operation("save", function* (listings: ReadonlyArray<StoreListing>) {
    const once = eachOnce(listings)
    const now = new Date(yield* Clock.currentTimeMillis)
    const listed = columnsOf(types, once).map((values) => sql`${values}`)
    const saved = yield* sql<{ readonly is_new: boolean }>`
    insert into stores (id, name, state, menu_url, created_at, updated_at)
    select listed.*, ${now}, ${now}
    from unnest(${sql.csv(listed)}) as listed
    on conflict (id) do update set
      name = coalesce(excluded.name, stores.name),
      state = coalesce(excluded.state, stores.state),
      menu_url = coalesce(excluded.menu_url, stores.menu_url),
      updated_at = excluded.updated_at
    where excluded.name <> stores.name or excluded.state <> stores.state or excluded.menu_url <> stores.menu_url
      or num_nulls(excluded.name, excluded.state, excluded.menu_url)
        < num_nulls(stores.name, stores.state, stores.menu_url)
    returning xmax = 0 as is_new`
    return saved.filter((row) => row.is_new).length
  })

  const get = operation("get", function* (id: string) {
    if (unstorableReason(id) !== undefined) return Option.none()
    return Array.head(yield* sql<Store>`select ${columns} from stores where id = ${id}`)
  })

  const list = operation("list", function* ({ limit, offset, state }: StoreQuery) {
    const matching = state === undefined ? sql`true` : sql`state = ${state}`
    const rows = yield* sql<{ readonly total: number } & (Store | { readonly id: null })>`
    select matching.total, page.*
    from (select count(*)::int as total from stores where ${matching}) as matching
    left join (
      select ${columns} from stores where ${matching} order by id limit ${limit} offset ${offset}
    ) as page on true
    order by page.id`
    const stores = rows.flatMap(({ total: _, ...store }) => (store.id === null ? [] : [store]))
    return { stores, total: rows[0]?.total ?? 0 }
  })

  const remove = operation("remove", function* (id: string) {
    if (unstorableReason(id) !== undefined) return false
    return (yield* sql`delete from stores where id = ${id} returning id`).length > 0
  })

  return Stores.of({ save, get, list, remove })
})

/** Keeps stores in the table `stores`. */
export const layer: Layer.Layer<Stores, never, SqlClient.SqlClient> = Layer.effect(Stores, make)
