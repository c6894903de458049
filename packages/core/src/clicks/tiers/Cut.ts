import { Duration, type Effect, type Stream } from "effect"
import type { Uuid } from "../../values/Uuid.ts"
import type { ListingPosition } from "../ClickCursor.ts"
import type { ClickEvent } from "../ClickEvent.ts"
import type { ClickFilter } from "../ClickFilter.ts"
import type { ClickStoreError } from "../ClickStore.ts"

/** Ids from one to another, both included. */
export interface IdRange {
  readonly first: Uuid
  readonly last: Uuid
}

/** Which clicks to delete: those that both occurred and were received before an instant, or those with certain ids. */
export type Deletion = Date | IdRange

/**
 * One moment of both tiers: which clicks the archive contributes, and which the hot store does. Every click that is stored at that
 * moment belongs to exactly one of them.
 *
 * A cut is a value: it can be read any number of times within the grace period, in any process, and gives the same clicks each
 * time, because a moved batch never changes and its clicks stay in the hot store for the grace period.
 */
export interface Cut {
  /** The newest moved attempt; the archive contributes the attempts up to it, except the abandoned ones. 0: none. */
  readonly mark: number
  /** Attempts up to the mark that were not moved, in ascending order. It never shrinks: a mover may wake up months later. */
  readonly abandoned: ReadonlyArray<number>
  /**
   * Clicks are being deleted: those that both occurred and were received before this instant belong to neither tier, although some may
   * still be there (`isExpired`). Null at other times.
   */
  readonly expired: Date | null
  /** The same of clicks with these ids. */
  readonly expiredIds: IdRange | null
  /** Newest `occurred_at` of the clicks that have left the hot store; null if none has. Never goes back. */
  readonly removedUntil: Date | null
  /** Defines the hot clicks: those that had arrived at this moment and came after the mark. Only the hot store reads it. */
  readonly arrivals: string
}

/** Whether the archive contributes the clicks of an attempt. */
export const isMoved = ({ abandoned, mark }: Cut, attempt: number): boolean =>
  attempt <= mark && !abandoned.includes(attempt)

type Expiring = Pick<ClickEvent, "id" | "occurred_at" | "received_at">

export const isWithin = ({ first, last }: IdRange, id: Uuid): boolean => id >= first && id <= last

/** Whether the deletion includes this click. */
export const isDeletedBy = (deletion: Deletion, { id, occurred_at, received_at }: Expiring): boolean =>
  deletion instanceof Date ? occurred_at < deletion && received_at < deletion : isWithin(deletion, id)

/** Whether a click is deleted, although it may still be there. */
export const isExpired = (
  { expired, expiredIds }: Pick<Cut, "expired" | "expiredIds">,
  click: Expiring
): boolean => [expired, expiredIds].some((deletion) => deletion !== null && isDeletedBy(deletion, click))

/** Whether the hot store alone has every click that the filter could match. */
export const needsNoArchive = ({ expired, expiredIds, removedUntil }: Cut, { from }: ClickFilter): boolean =>
  expiredIds === null &&
  [removedUntil, expired].every((lost) => lost === null || (from !== undefined && from > lost))

/** How long an answer waits for the archive where it needs none: a server that hangs must not hold up recent clicks. */
export const archivePatience = Duration.seconds(5)

/** Widths of buckets in milliseconds: a day, an hour, a minute, a second. */
export const bucketWidths = [86_400_000, 3_600_000, 60_000, 1_000] as const
export type BucketWidth = (typeof bucketWidths)[number]

/** The clicks that occurred from `start`, in milliseconds since 1970 and a multiple of the width, until the next bucket. */
export interface Bucket {
  readonly start: number
  readonly count: number
}

/** A part of a listing. */
export interface ListingPart {
  /** Begins after this place in listing order, whether or not a click is there. */
  readonly after?: ListingPosition
  /** At most this many clicks; all when absent. */
  readonly limit?: number
  /** Starts of hours, in milliseconds since 1970, outside of which no click is wanted: an archive need not search the time between them. */
  readonly hours?: ReadonlyArray<number>
}

/** What each tier answers about its clicks of a cut. A filter may contain texts and bounds that no store can hold: such texts match nothing. */
export interface TierReads {
  /** Numbers of the matching clicks by bucket, in any order. Buckets without clicks are left out. */
  readonly count: (
    cut: Cut,
    filter: ClickFilter,
    width: BucketWidth
  ) => Effect.Effect<ReadonlyArray<Bucket>, ClickStoreError>
  /**
   * The matching clicks in listing order, from one snapshot, in bounded memory however many there are or how large. Releases what it
   * holds of the tier when it ends or its reader stops.
   */
  readonly read: (
    cut: Cut,
    filter: ClickFilter,
    part: ListingPart
  ) => Stream.Stream<ClickEvent, ClickStoreError>
}
