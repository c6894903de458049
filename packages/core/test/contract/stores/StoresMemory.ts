import type { Store, StoreListing } from "@clicks/core/stores/Store"
import { type StorePayload, StorePayloads, UnknownStore } from "@clicks/core/stores/StorePayloads"
import { Stores } from "@clicks/core/stores/Stores"
import { compareCodePoints } from "@clicks/core/values/Text"
import { Clock, Context, Effect, Layer, Option, Record } from "effect"
import { groupProducts, matches, sortProducts } from "./products.ts"

interface Kept {
  readonly store: Store
  readonly products: StorePayload["products"]
}

const merge = (known: Store | undefined, { id, ...listing }: StoreListing, now: Date): Store => {
  if (known === undefined) {
    return { id, ...listing, fetched_at: null, product_count: 0, created_at: now, updated_at: now }
  }
  const news = Record.filter(listing, (value, field) => value !== null && value !== known[field])
  return Record.isEmptyRecord(news) ? known : { ...known, ...news, updated_at: now }
}

const makeStores = (kept: Map<string, Kept>) => {
  const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

  return Stores.of({
    save: (listings) =>
      Effect.map(now, (moment) => {
        const before = kept.size
        for (const listing of new Map(listings.map((each) => [each.id, each])).values()) {
          const known = kept.get(listing.id)
          const store = merge(known?.store, listing, moment)
          kept.set(listing.id, { store, products: known?.products ?? [] })
        }
        return kept.size - before
      }),
    get: (id) => Effect.sync(() => Option.fromNullishOr(kept.get(id)?.store)),
    list: ({ limit, offset, state }) =>
      Effect.sync(() => {
        const stores = Array.from(kept.values(), ({ store }) => store)
          .filter((store) => state === undefined || store.state === state)
          .sort((a, b) => compareCodePoints(a.id, b.id))
        return { stores: stores.slice(offset, offset + limit), total: stores.length }
      }),
    remove: (id) => Effect.sync(() => kept.delete(id))
  })
}

const makePayloads = (kept: Map<string, Kept>) => {
  const find = (store_id: string) =>
    Effect.suspend(() => {
      const found = kept.get(store_id)
      return found === undefined ? Effect.fail(new UnknownStore({ store_id })) : Effect.succeed(found)
    })

  return StorePayloads.of({
    replace: ({ fetched_at, products, store_id }) =>
      Effect.map(find(store_id), ({ store }) => {
        kept.set(store_id, { store: { ...store, fetched_at, product_count: products.length }, products })
      }),
    query: (store_id, { filter, limit, offset, ...order }) =>
      Effect.map(find(store_id), ({ products, store }) => {
        const found = products.filter((product) => matches(filter, product))
        const page = sortProducts(found, order).slice(offset, offset + limit)
        const { fetched_at } = store
        return { store_id, fetched_at, products: page, total: found.length, limit, offset }
      }),
    aggregate: (store_id, { filter, group_by }) =>
      Effect.map(find(store_id), ({ products }) => {
        const found = products.filter((product) => matches(filter, product))
        return { store_id, group_by, groups: groupProducts(found, group_by), total: found.length }
      })
  })
}

/** Keeps stores and their products in this process's memory, for tests and prototypes. */
export const layer: Layer.Layer<Stores | StorePayloads> = Layer.effectContext(
  Effect.sync(() => {
    const kept = new Map<string, Kept>()
    return Context.make(Stores, makeStores(kept)).pipe(Context.add(StorePayloads, makePayloads(kept)))
  })
)
