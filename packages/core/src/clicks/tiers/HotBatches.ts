import { Context, Duration, type Effect, type Stream } from "effect"
import type { ClickEvent } from "../ClickEvent.ts"
import type { ClickStoreError } from "../ClickStore.ts"
import type { Tally } from "./ClickArchive.ts"
import type { Deletion } from "./Cut.ts"

/**
 * How long a click stays in the hot store after it was moved. Until then its primary key catches repeated inserts, and cuts made
 * before the move can be read.
 */
export const gracePeriod = Duration.hours(24)

/** An open attempt to move the clicks between the mark and a later moment. */
export interface Batch {
  /** A number that no attempt has had before, greater than all earlier ones. */
  readonly attempt: number
  /** Its clicks, counted by the hot store. At least 1. */
  readonly count: number
  /**
   * Its clicks in any order, in bounded memory; can be pulled once. Pulling counts as progress. Fails or ends early, so that fewer
   * than `count` are emitted, when the attempt is abandoned meanwhile.
   */
  readonly clicks: Stream.Stream<ClickEvent, ClickStoreError>
}

/**
 * The hot store's record of which batches are in the archive. At most one attempt is open. Each operation is one transaction, so a
 * process may be killed before or after any of them. After an error it is unknown whether the change was made.
 */
export class HotBatches extends Context.Service<
  HotBatches,
  {
    /**
     * Opens an attempt at the oldest clicks after the mark that are visible to every later snapshot: some 500,000, more if one
     * transaction has more, without expired ones. An attempt that is open already stands in the way, unless it has made no progress for `silentFor`:
     * then it is abandoned. Null when one stands in the way or there is nothing to move.
     */
    readonly begin: (silentFor: Duration.Duration) => Effect.Effect<Batch | null, ClickStoreError>
    /**
     * Marks the attempt as moved and advances the mark past its clicks, if it is still open: from now on every cut takes these clicks
     * from the archive. False, and no change, when it was abandoned. Keeps the tally for verification.
     */
    readonly complete: (attempt: number, tally: Tally) => Effect.Effect<boolean, ClickStoreError>
    /** Abandons the attempt if it is open; otherwise changes nothing. Its clicks stay hot. */
    readonly abandon: (attempt: number) => Effect.Effect<void, ClickStoreError>
    /**
     * Removes clicks of batches that were moved before the instant, and returns how many. Keeps those that occurred after it, so that
     * `removedUntil` of the cut stays meaningful when a click's clock is ahead.
     */
    readonly removeMoved: (before: Date) => Effect.Effect<number, ClickStoreError>
    /**
     * Declares clicks expired: no later cut contains them. Also abandons the open attempt, so that none of them reaches the archive. Never
     * goes back to an earlier instant. Ids replace those of a deletion that has not ended.
     */
    readonly expire: (deletion: Deletion) => Effect.Effect<void, ClickStoreError>
    /**
     * Deletes expired clicks, moved or not, and returns how many. Then `expired` or `expiredIds` of later cuts is null, unless it is another
     * deletion's. Clicks with expired ids can be inserted again.
     */
    readonly removeExpired: (deletion: Deletion) => Effect.Effect<number, ClickStoreError>
  }
>()("@clicks/core/clicks/tiers/HotBatches") {}
