import type { Store } from "@clicks/core/stores/Store"
import { parseQuery, Stores } from "@clicks/core/stores/Stores"
import { withoutSecrets } from "@clicks/core/values/HttpUrl"
import { Effect } from "effect"
import { CommandFailed, orUsageError, toParameters } from "../CommandError.ts"
import * as Database from "../Database.ts"
import { countOf, grouped, toMinute } from "../terminal/format.ts"
import * as Output from "../terminal/Output.ts"
import type { Column } from "../terminal/Table.ts"

const columns: ReadonlyArray<Column<Store>> = [
  { title: "id", cell: (store) => store.id, isWhole: true },
  { title: "state", cell: (store) => store.state ?? "" },
  { title: "name", cell: (store) => store.name ?? "" },
  { title: "products", cell: (store) => grouped(store.product_count), isNumber: true },
  { title: "fetched", cell: ({ fetched_at }) => (fetched_at ? toMinute(fetched_at) : ""), isWhole: true },
  { title: "menu", cell: (store) => (store.menu_url === null ? "" : withoutSecrets(store.menu_url)) }
]

/** `clicks stores list`. */
export const listStores = Effect.fn("listStores")(function* (
  options: Output.Format & { readonly state?: string }
) {
  const query = yield* orUsageError(
    parseQuery({ ...toParameters(options), state: options.state?.toUpperCase() })
  )
  const page = yield* Stores.use((stores) => stores.list(query)).pipe(Effect.provide(Database.layer))
  const answer = { ...page, limit: query.limit, offset: query.offset }
  const footer = `${grouped(page.stores.length)} of ${countOf(page.total, "store")}`
  yield* Output.list(options, answer, columns, page.stores, footer)
})

/** `clicks stores remove`. */
export const removeStore = Effect.fn("removeStore")(function* (id: string, format: Output.Format) {
  const removed = yield* Stores.use((stores) => stores.remove(id)).pipe(Effect.provide(Database.layer))
  if (!removed) return yield* new CommandFailed({ message: `There is no store ${id}` })
  yield* Output.change(format, { id }, `Removed store ${id} and its products`)
})
