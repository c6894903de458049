import { Context, Duration, type Effect, type Stream } from "effect"
import type { ClickEvent } from "../ClickEvent.ts"
import type { ClickStoreError } from "../ClickStore.ts"
import type { Tally } from "./ClickArchive.ts"
import type { Deletion } from "./Cut.ts"

/**
 * How long a click stays in the hot store after it was moved. During this time, its primary key catches repeated inserts, and cuts made
 * before the move remain readable.
 */
export const gracePeriod = Duration.hours(24)

/** An open attempt to move the clicks between the mark and a later snapshot. */
export interface Batch {
  /** A number that no attempt has had before, greater than all earlier ones. */
  readonly attempt: number
  /** The number of its clicks, counted by the hot store. At least 1. */
  readonly count: number
  /**
   * Its clicks in any order, in bounded memory. The stream can be read once; reading counts as progress. If the attempt is abandoned
   * meanwhile, the stream fails or ends early, with fewer than `count` clicks.
   */
  readonly clicks: Stream.Stream<ClickEvent, ClickStoreError>
}

/**
 * The hot store's record of which batches are in the archive. At most one attempt is open. Each operation is one transaction, so a process
 * may be killed before or after any of them. After an error, it is unknown whether the change was made.
 */
export class HotBatches extends Context.Service<
  HotBatches,
  {
    /**
     * Opens an attempt to move the oldest clicks after the mark that are visible to every later snapshot, without expired ones: about
     * 500,000, or more if a single transaction has more. If another attempt is open, it is abandoned if it has made no progress for
     * `silentFor`; otherwise, none is opened. Returns null if another attempt is still open or there is nothing to move.
     */
    readonly begin: (silentFor: Duration.Duration) => Effect.Effect<Batch | null, ClickStoreError>
    /**
     * If the attempt is still open, marks it as moved and advances the mark past its clicks: from now on, every cut reads these clicks from
     * the archive. Keeps the tally for verification. Returns false and changes nothing if the attempt was abandoned.
     */
    readonly complete: (attempt: number, tally: Tally) => Effect.Effect<boolean, ClickStoreError>
    /** Abandons the attempt if it is open; otherwise, changes nothing. Its clicks stay in the hot store. */
    readonly abandon: (attempt: number) => Effect.Effect<void, ClickStoreError>
    /**
     * Removes clicks of batches that were moved before the instant, and returns their number. Keeps clicks that occurred after it, so that
     * `removedUntil` of the cut remains useful if a click's clock is ahead.
     */
    readonly removeMoved: (before: Date) => Effect.Effect<number, ClickStoreError>
    /**
     * Declares clicks expired: no later cut contains them. Also abandons the open attempt, so that none of them reaches the archive. An
     * earlier instant than that of a deletion in progress has no effect; ids replace those of a deletion in progress.
     */
    readonly expire: (deletion: Deletion) => Effect.Effect<void, ClickStoreError>
    /**
     * Deletes expired clicks, moved or not, and returns their number. Afterwards, `expired` or `expiredIds` of later cuts is null, unless
     * another deletion has set it. Clicks with expired ids can then be inserted again.
     */
    readonly removeExpired: (deletion: Deletion) => Effect.Effect<number, ClickStoreError>
  }
>()("@clicks/core/clicks/tiers/HotBatches") {}
