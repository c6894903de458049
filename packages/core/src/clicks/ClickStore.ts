import { Context, type Effect, Schema, type Stream } from "effect"
import type { ClickEvent } from "./ClickEvent.ts"
import type { ClickFilter } from "./ClickFilter.ts"
import type { ClickId } from "./ClickId.ts"
import type { ClickPage, ClickQuery } from "./ClickQuery.ts"

/**
 * Why a store did not do what was asked.
 *
 * - `Unavailable`: it cannot be reached, is too slow or is full. Whether the batch was stored is not known; sending the same
 *   events again is safe.
 * - `Refused`: it will never take this batch, because of at least one event in it. Nothing of the batch was stored.
 */
export class ClickStoreError extends Schema.TaggedError<ClickStoreError>()("ClickStoreError", {
  operation: Schema.String,
  reason: Schema.Literals(["Unavailable", "Refused"]),
  cause: Schema.Defect()
}) {
  get isRetryable(): boolean {
    return this.reason === "Unavailable"
  }
  override get message(): string {
    return this.reason === "Unavailable"
      ? `The click store cannot be reached (${this.operation})`
      : `The click store refuses a click (${this.operation})`
  }
}

/** Where clicks are kept. Append-only: a stored click never changes. */
export class ClickStore extends Context.Service<
  ClickStore,
  {
    /**
     * Stores the batch, all of it or nothing, and returns the ids that were new. An id that is already stored, or stands
     * in the batch twice, is not an error and keeps its first form. When it returns, the clicks are durable and listed. An empty batch asks
     * whether the store would take one, and fails when it would not.
     */
    readonly insert: (
      batch: ReadonlyArray<ClickEvent>
    ) => Effect.Effect<ReadonlySet<ClickId>, ClickStoreError>
    /** One page, newest first (`compareListing`), and the exact total, both as of one moment. */
    readonly list: (query: ClickQuery) => Effect.Effect<ClickPage, ClickStoreError>
    /** Every click that matches, in listing order, as of one moment, in constant memory. */
    readonly stream: (filter: ClickFilter) => Stream.Stream<ClickEvent, ClickStoreError>
  }
>()("@clicks/core/clicks/ClickStore") {}
