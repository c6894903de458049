import { Context, type Effect, type Option } from "effect"
import type { Uuid } from "../values/Uuid.ts"
import type { ClickEvent } from "./ClickEvent.ts"
import type { ClickFilter } from "./ClickFilter.ts"
import type { ClickStoreError } from "./ClickStore.ts"

/**
 * A place in the order of arrival: identifies which clicks a follower has passed. Opaque, and valid in other processes too. Its characters
 * need no escape in a header or in the query of a URL.
 */
export type ArrivalPosition = string

/** The clicks since a position, and the position to continue from. */
export interface Arrivals {
  readonly clicks: ReadonlyArray<ClickEvent>
  /** The position after each of the clicks. */
  readonly positions: ReadonlyArray<ArrivalPosition>
  readonly position: ArrivalPosition
  /** Whether these are all clicks so far; if not, call again at once for more. */
  readonly isAll: boolean
}

/** A stored click. Its position is null if it came with a restored dump: no follower returns it. */
export interface Arrival {
  readonly click: ClickEvent
  readonly position: ArrivalPosition | null
}

/** Operations on positions that do not need the store. Positions of followers that read different moments have no total order. */
export interface ArrivalPositions {
  /** A position that a client has kept; none if the text is not one. */
  readonly parse: (text: string) => Option.Option<ArrivalPosition>
  /** Whether `b` has passed every click that `a` has passed. May be false if only the store can decide. */
  readonly precedes: (a: ArrivalPosition, b: ArrivalPosition) => boolean
  /** A moment that precedes the position: one that a query can end at. */
  readonly momentBefore: (position: ArrivalPosition) => ArrivalPosition
  /** The position or an earlier one, where pages for several followers begin. */
  readonly pageStart: (position: ArrivalPosition) => ArrivalPosition
  /** Whether a click, given by its own position, has yet to be passed at `position`. */
  readonly isAfter: (position: ArrivalPosition) => (click: ArrivalPosition) => boolean
  /** `position`, moved past all clicks up to this one. */
  readonly pass: (position: ArrivalPosition, click: ArrivalPosition) => ArrivalPosition
}

/**
 * The clicks in the order in which they become visible, for followers. A click seen by one call comes before all that a later call adds,
 * whatever their times and ids.
 *
 * A follower that starts at `now` and continues from each returned position gets every click stored since then exactly once, even if its
 * transaction was long, or it occurred or was received long ago.
 */
export class ClickArrivals extends Context.Service<
  ClickArrivals,
  {
    /** The position after all clicks that are stored now. */
    readonly now: Effect.Effect<ArrivalPosition, ClickStoreError>
    /**
     * The matching clicks after a position, at most `limit` of them. Calling again with the same position is safe. With `until`, a
     * moment that the position precedes, it ends there: the last page has `until` as its position.
     */
    readonly since: (
      position: ArrivalPosition,
      filter: ClickFilter,
      limit: number,
      until?: ArrivalPosition
    ) => Effect.Effect<Arrivals, ClickStoreError>
    /** A click by its id. Its position passes all clicks that were stored in earlier transactions. */
    readonly find: (id: Uuid) => Effect.Effect<Option.Option<Arrival>, ClickStoreError>
    readonly positions: ArrivalPositions
  }
>()("@clicks/core/clicks/ClickArrivals") {}
