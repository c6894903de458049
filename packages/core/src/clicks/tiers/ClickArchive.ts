import { Context, type Effect, type Stream } from "effect"
import type { Uuid } from "../../values/Uuid.ts"
import type { ClickEvent } from "../ClickEvent.ts"
import type { ClickStoreError } from "../ClickStore.ts"
import type { Cut, Deletion, TierReads } from "./Cut.ts"

/** A summary of a set of clicks: their number, and an order-independent checksum of their ids and contents. */
export interface Tally {
  readonly count: number
  /** In a format of the archive's own. Compare it only with checksums of the same archive. */
  readonly checksum: string
}

/**
 * The older clicks, by the attempt that wrote them. An archive need not detect duplicates, write atomically or know what a failed write has
 * stored, because readers name the attempts that count (`Cut`).
 *
 * All operations fail with the reason `HistoryUnavailable` if the archive cannot be reached, is too slow or cannot be trusted (for example,
 * a version that is known to lose data).
 */
export class ClickArchive extends Context.Service<
  ClickArchive,
  TierReads & {
    /** Fails if the archive does not accept writes. */
    readonly ping: Effect.Effect<void, ClickStoreError>
    /**
     * Adds the clicks under the attempt, in bounded memory, and returns the tally of what it sent. When it returns, the clicks are durable
     * and visible to every later read. Each click is sent at most once: a part with an unknown outcome fails the write, because a retried
     * part could be stored twice, even after `check`. After a failure, any part of the clicks may be stored, or be stored later.
     */
    readonly write: <E>(
      attempt: number,
      clicks: Stream.Stream<ClickEvent, E>
    ) => Effect.Effect<Tally, ClickStoreError | E>
    /**
     * The tally of what is stored under the attempt, read back from all columns. It equals that of `write` only if each click is stored
     * exactly once.
     */
    readonly check: (attempt: number) => Effect.Effect<Tally, ClickStoreError>
    /** Deletes what is stored under these attempts, which no cut may include. Cheap if there is nothing. */
    readonly forget: (attempts: ReadonlyArray<number>) => Effect.Effect<void, ClickStoreError>
    /** Deletes clicks from all attempts, and returns when none is left. Cuts that do not exclude these clicks must no longer be in use. */
    readonly remove: (deletion: Deletion) => Effect.Effect<void, ClickStoreError>
    /** The clicks of the cut with any of these ids, in any order. */
    readonly find: (
      cut: Cut,
      ids: ReadonlyArray<Uuid>
    ) => Effect.Effect<ReadonlyArray<ClickEvent>, ClickStoreError>
  }
>()("@clicks/core/clicks/tiers/ClickArchive") {}
