import { Effect } from "effect"
import type { Uuid } from "../../values/Uuid.ts"
import type { ClickEvent } from "../ClickEvent.ts"
import { ClickStore, type ClickStoreError } from "../ClickStore.ts"

/** The outcome of a batch: the new ids, and the clicks that the store will never accept. */
export interface Inserted {
  readonly added: ReadonlySet<Uuid>
  readonly refused: ReadonlyArray<ClickEvent>
}

/**
 * Inserts a batch in one call. If the store rejects it, the batch is halved until the click at fault is alone, so that the other clicks are
 * neither delayed nor lost. One bad click costs about 2 × log2(size) inserts.
 *
 * Fails only if the store is unavailable; then the whole batch can be sent again.
 */
export const insertHalving = (
  batch: ReadonlyArray<ClickEvent>
): Effect.Effect<Inserted, ClickStoreError, ClickStore> =>
  ClickStore.use((store) => store.insert(batch)).pipe(
    Effect.map((added): Inserted => ({ added, refused: [] })),
    Effect.catchIf(
      (error) => !error.isRetryable,
      (error) => (batch.length > 1 ? halves(batch) : refuse(batch, error))
    )
  )

const refuse = (refused: ReadonlyArray<ClickEvent>, error: ClickStoreError) =>
  Effect.logError(`Click ${refused[0]?.id} was rejected by the store and is quarantined`, error).pipe(
    Effect.as<Inserted>({ added: new Set(), refused })
  )

const halves = Effect.fnUntraced(function* (batch: ReadonlyArray<ClickEvent>) {
  const middle = batch.length >> 1
  const first = yield* insertHalving(batch.slice(0, middle))
  const second = yield* insertHalving(batch.slice(middle))
  return { added: new Set([...first.added, ...second.added]), refused: [...first.refused, ...second.refused] }
})
