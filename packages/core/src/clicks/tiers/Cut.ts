import { Duration, type Effect, type Stream } from "effect"
import type { Uuid } from "../../values/Uuid.ts"
import type { ListingPosition } from "../ClickCursor.ts"
import type { ClickEvent } from "../ClickEvent.ts"
import type { ClickFilter } from "../ClickFilter.ts"
import type { ClickStoreError } from "../ClickStore.ts"

/** A range of ids, both ends included. */
export interface IdRange {
  readonly first: Uuid
  readonly last: Uuid
}

/** The clicks to delete: those that both occurred and were received before an instant, or those in a range of ids. */
export type Deletion = Date | IdRange

/**
 * A snapshot of both tiers. It determines which clicks to read from the archive and which from the hot store. Every click that is stored at
 * that moment belongs to exactly one of them.
 *
 * A cut is a value: it can be read any number of times within the grace period, in any process, and always gives the same clicks, because a
 * moved batch never changes and its clicks stay in the hot store for the grace period.
 */
export interface Cut {
  /** The newest moved attempt; 0 if there is none. Attempts up to this one, except the abandoned ones, are read from the archive. */
  readonly mark: number
  /**
   * Attempts up to the mark that were not moved, in ascending order. They are never removed from this list, because a mover may resume
   * months later.
   */
  readonly abandoned: ReadonlyArray<number>
  /**
   * While a deletion is in progress: clicks that both occurred and were received before this instant belong to neither tier, although some
   * may still be stored (`isExpired`). Otherwise null.
   */
  readonly expired: Date | null
  /** The same for clicks with these ids. */
  readonly expiredIds: IdRange | null
  /** The newest `occurred_at` of the clicks that have left the hot store; null if none has. Never decreases. */
  readonly removedUntil: Date | null
  /** Identifies the hot clicks: those that had arrived at this moment, after the mark. Only the hot store interprets it. */
  readonly arrivals: string
}

/** Whether the clicks of an attempt are read from the archive. */
export const isMoved = ({ abandoned, mark }: Cut, attempt: number): boolean =>
  attempt <= mark && !abandoned.includes(attempt)

type Expiring = Pick<ClickEvent, "id" | "occurred_at" | "received_at">

export const isWithin = ({ first, last }: IdRange, id: Uuid): boolean => id >= first && id <= last

/** Whether the deletion includes this click. */
export const isDeletedBy = (deletion: Deletion, { id, occurred_at, received_at }: Expiring): boolean =>
  deletion instanceof Date ? occurred_at < deletion && received_at < deletion : isWithin(deletion, id)

/** Whether a click counts as deleted, although it may still be stored. */
export const isExpired = (
  { expired, expiredIds }: Pick<Cut, "expired" | "expiredIds">,
  click: Expiring
): boolean => [expired, expiredIds].some((deletion) => deletion !== null && isDeletedBy(deletion, click))

/** Whether the hot store alone has every click that the filter could match. */
export const needsNoArchive = ({ expired, expiredIds, removedUntil }: Cut, { from }: ClickFilter): boolean =>
  expiredIds === null &&
  [removedUntil, expired].every((lost) => lost === null || (from !== undefined && from > lost))

/** How long a read waits for the archive if the hot store has all its clicks: an archive that hangs must not delay recent clicks. */
export const archivePatience = Duration.seconds(5)

/** Widths of buckets in milliseconds: a day, an hour, a minute, a second. */
export const bucketWidths = [86_400_000, 3_600_000, 60_000, 1_000] as const
export type BucketWidth = (typeof bucketWidths)[number]

/**
 * The number of clicks that occurred from `start` to the next bucket. `start` is in milliseconds since 1970 and a multiple of the width.
 */
export interface Bucket {
  readonly start: number
  readonly count: number
}

/** A part of a listing. */
export interface ListingPart {
  /** Begins after this position in listing order, whether or not there is a click. */
  readonly after?: ListingPosition
  /** The maximum number of clicks; all if absent. */
  readonly limit?: number
}

/** Reads of a tier's clicks in a cut. A filter may contain texts and bounds that no store can hold; such texts match nothing. */
export interface TierReads {
  /** The numbers of matching clicks by bucket, in any order. Empty buckets are omitted. */
  readonly count: (
    cut: Cut,
    filter: ClickFilter,
    width: BucketWidth
  ) => Effect.Effect<ReadonlyArray<Bucket>, ClickStoreError>
  /**
   * The matching clicks in listing order, from one snapshot. Memory is bounded, however many or large the clicks are. Resources of the tier
   * are released when the stream ends or its reader stops.
   */
  readonly read: (
    cut: Cut,
    filter: ClickFilter,
    part: ListingPart
  ) => Stream.Stream<ClickEvent, ClickStoreError>
}
