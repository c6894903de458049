import { withoutSecrets } from "@clicks/core/stores/HttpUrl"
import type { Store } from "@clicks/core/stores/Store"
import { parseQuery, Stores } from "@clicks/core/stores/Stores"
import { Effect } from "effect"
import { CommandFailed, exitCodes, orUsageError } from "../CommandError.ts"
import * as Database from "../Database.ts"
import { countOf, grouped, toMinute } from "../terminal/format.ts"
import * as Output from "../terminal/Output.ts"
import { type Column, table } from "../terminal/Table.ts"

interface ListOptions {
  readonly state?: string
  readonly limit?: string
  readonly offset?: string
  readonly json: boolean
}

const columns: ReadonlyArray<Column<Store>> = [
  { title: "id", cell: (store) => store.id, isWhole: true },
  { title: "state", cell: (store) => store.state ?? "" },
  { title: "name", cell: (store) => store.name ?? "" },
  { title: "products", cell: (store) => grouped(store.product_count) },
  { title: "fetched", cell: ({ fetched_at }) => (fetched_at ? toMinute(fetched_at) : ""), isWhole: true },
  { title: "menu", cell: (store) => (store.menu_url === null ? "" : withoutSecrets(store.menu_url)) }
]

/** `clicks stores list`. */
export const listStores = Effect.fn("listStores")(function* ({ json, limit, offset, state }: ListOptions) {
  const query = yield* orUsageError(parseQuery({ state: state?.toUpperCase(), limit, offset }))
  const page = yield* Stores.use((stores) => stores.list(query)).pipe(Effect.provide(Database.layer))
  if (json) {
    yield* Output.json({ ...page, limit: query.limit, offset: query.offset })
    return exitCodes.done
  }
  if (page.stores.length > 0) yield* Output.line(table(columns, page.stores, Output.width()))
  yield* Output.footer(`${grouped(page.stores.length)} of ${countOf(page.total, "store")}`)
  return exitCodes.done
})

/** `clicks stores remove`. */
export const removeStore = Effect.fn("removeStore")(function* (
  id: string,
  { json }: { readonly json: boolean }
) {
  const removed = yield* Stores.use((stores) => stores.remove(id)).pipe(Effect.provide(Database.layer))
  if (!removed) return yield* new CommandFailed({ message: `There is no store ${id}` })
  if (json) yield* Output.json({ id })
  else yield* Output.note(`Removed store ${id} and its products`)
  return exitCodes.done
})
