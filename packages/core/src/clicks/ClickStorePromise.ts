import { Effect, Layer, Option, Stream } from "effect"
import { maxLimit } from "../values/Parameter.ts"
import type { ClickEvent } from "./ClickEvent.ts"
import { type ClickQuery, toPage } from "./ClickQuery.ts"
import { ClickStore, ClickStoreError, streamedPage } from "./ClickStore.ts"

/**
 * A click store written with promises. Its contract is that of `ClickStore`:
 *
 * - `insert` stores all of the batch or nothing, durably, and returns the ids that were new. An id that is already stored is not an error.
 *   Reject with `BatchRefused` if the batch can never be stored. Any other rejection means that the store is unavailable, and the same
 *   clicks are sent again.
 * - `list` returns the clicks after `query.after` and `query.offset` in listing order (`compareListing`), up to `query.limit + 1` of them,
 *   and the exact number that match the filter.
 */
export interface ClickStorePromise {
  readonly insert: (batch: ReadonlyArray<ClickEvent>) => Promise<Iterable<string>>
  readonly list: (
    query: ClickQuery
  ) => Promise<{ readonly events: ReadonlyArray<ClickEvent>; readonly total: number }>
}

/** What a store rejects with when at least one click of the batch can never be stored. */
export class BatchRefused extends Error {
  override readonly name = "BatchRefused"
}

const attempt = <A>(operation: string, run: () => Promise<A>): Effect.Effect<A, ClickStoreError> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) =>
      new ClickStoreError({
        operation,
        reason: cause instanceof BatchRefused ? "Refused" : "Unavailable",
        cause
      })
  })

const make = (store: ClickStorePromise) => {
  const list = (query: ClickQuery) =>
    attempt("list", () => store.list(query)).pipe(
      Effect.map(({ events, total }) => toPage(query, events, total))
    )

  return ClickStore.of({
    insert: (batch) => attempt("insert", async () => new Set(await store.insert(batch))),
    list,
    streamPage: (query) => Effect.map(list(query), streamedPage),
    // Page by page: the pages are not one snapshot, but no stored click is skipped or repeated.
    stream: (filter) =>
      Stream.paginate({ filter, limit: maxLimit, offset: 0 } as ClickQuery, (query) =>
        Effect.map(list(query), (page) => {
          const last = page.events.at(-1)
          const next =
            page.next_cursor === null || last === undefined
              ? Option.none()
              : Option.some({ ...query, after: last })
          return [page.events, next] as const
        })
      )
  })
}

/** A `ClickStore` implemented by code that does not use Effect. */
export const layer = (store: ClickStorePromise): Layer.Layer<ClickStore> =>
  Layer.succeed(ClickStore, make(store))
