import { Context, type Effect, type Stream } from "effect"
import type { Uuid } from "../../values/Uuid.ts"
import type { ClickEvent } from "../ClickEvent.ts"
import type { ClickStoreError } from "../ClickStore.ts"
import type { Cut, Deletion, TierReads } from "./Cut.ts"

/** A set of clicks in short: their number, and an order-independent checksum of their ids and contents. */
export interface Tally {
  readonly count: number
  /** The archive's own; only compared with others of the same archive. */
  readonly checksum: string
}

/**
 * History: clicks by the attempt that wrote them. It need not detect duplicates, write atomically or answer exactly after a failed
 * write, because readers name the attempts that count (`Cut`).
 *
 * All of it fails with the reason `HistoryUnavailable` when the archive cannot be reached, is too slow or is not to be trusted
 * (a version that is known to lose data).
 */
export class ClickArchive extends Context.Service<
  ClickArchive,
  TierReads & {
    /** Fails when the archive does not accept writes. */
    readonly ping: Effect.Effect<void, ClickStoreError>
    /**
     * Adds the clicks under the attempt, in bounded memory, and returns the tally of what it sent. When it returns, they are durable and
     * visible to every later read. Sends each click at most once: a part with an unknown outcome fails the write, because a retried part
     * could land twice, even after `check`. After a failure any part of the clicks may be there, or arrive later.
     */
    readonly write: <E>(
      attempt: number,
      clicks: Stream.Stream<ClickEvent, E>
    ) => Effect.Effect<Tally, ClickStoreError | E>
    /** The tally of what is stored under the attempt, read back from all columns. It equals that of `write` only if each click is there once. */
    readonly check: (attempt: number) => Effect.Effect<Tally, ClickStoreError>
    /** Deletes what is stored under these attempts, which no cut contributes. Cheap when there is nothing. */
    readonly forget: (attempts: ReadonlyArray<number>) => Effect.Effect<void, ClickStoreError>
    /**
     * Deletes clicks of all attempts, and returns when none is left. Cuts that do not exclude them yet must no longer be in use.
     */
    readonly remove: (deletion: Deletion) => Effect.Effect<void, ClickStoreError>
    /** The clicks of the cut with one of these ids, in any order. */
    readonly find: (
      cut: Cut,
      ids: ReadonlyArray<Uuid>
    ) => Effect.Effect<ReadonlyArray<ClickEvent>, ClickStoreError>
  }
>()("@clicks/core/clicks/tiers/ClickArchive") {}
