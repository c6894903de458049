import { Context, Effect, Schema, Stream } from "effect"
import type { Uuid } from "../values/Uuid.ts"
import type { ClickEvent } from "./ClickEvent.ts"
import type { ClickFilter } from "./ClickFilter.ts"
import type { ClickPage, ClickQuery } from "./ClickQuery.ts"

/**
 * Why an operation of a store failed.
 *
 * - `Unavailable`: it cannot be reached, is too slow or is full. Whether the batch was stored is not known; sending the same events
 *   again is safe.
 * - `HistoryUnavailable`: its archive of older clicks, which the operation needs, cannot be reached or is too slow. Recent clicks are
 *   not affected.
 * - `Busy`: it already serves as many readers as it can. Nothing was read; the same call may succeed in a few seconds.
 * - `Refused`: it will never accept this batch, because of at least one event in it. No event of the batch was stored.
 */
export class ClickStoreError extends Schema.TaggedError<ClickStoreError>()("ClickStoreError", {
  operation: Schema.String,
  reason: Schema.Literals(["Unavailable", "HistoryUnavailable", "Busy", "Refused"]),
  cause: Schema.Defect()
}) {
  get isRetryable(): boolean {
    return this.reason !== "Refused"
  }
  override get message(): string {
    return `${sentences[this.reason]} (${this.operation})`
  }
}

const sentences = {
  Unavailable: "The click store cannot be reached",
  HistoryUnavailable: "The archive of older clicks cannot be reached",
  Busy: "The click store has too many readers",
  Refused: "The click store rejects a click"
}

/** A page whose clicks are read as the stream is pulled. */
export interface StreamedPage extends Omit<ClickPage, "events"> {
  readonly events: Stream.Stream<ClickEvent, ClickStoreError>
}

/** Reads all clicks of the page. */
export const collectPage = (page: StreamedPage): Effect.Effect<ClickPage, ClickStoreError> =>
  Effect.map(Stream.runCollect(page.events), (events) => ({ ...page, events }))

/** A page that is in memory already. */
export const streamedPage = (page: ClickPage): StreamedPage => ({
  ...page,
  events: Stream.fromArray(page.events)
})

/** Stores clicks. Append-only: a stored click never changes. */
export class ClickStore extends Context.Service<
  ClickStore,
  {
    /**
     * Stores the batch, all or none, and returns the new ids. An id that is already stored, or that is repeated in the batch, is not an
     * error: the click as first received is kept. When this returns, the clicks are durable and listed. An empty batch checks whether the
     * store accepts clicks, and fails if it does not.
     */
    readonly insert: (batch: ReadonlyArray<ClickEvent>) => Effect.Effect<ReadonlySet<Uuid>, ClickStoreError>
    /** One page, newest first (`compareListing`), and the exact total, both from one snapshot. */
    readonly list: (query: ClickQuery) => Effect.Effect<ClickPage, ClickStoreError>
    /**
     * The same page for a slow reader: `events` can be pulled once, in bounded memory even if the clicks are large, and uses no connection
     * or cursor of the store between pulls.
     */
    readonly streamPage: (query: ClickQuery) => Effect.Effect<StreamedPage, ClickStoreError>
    /** All matching clicks in listing order, from one snapshot, in constant memory. */
    readonly stream: (filter: ClickFilter) => Stream.Stream<ClickEvent, ClickStoreError>
  }
>()("@clicks/core/clicks/ClickStore") {}
