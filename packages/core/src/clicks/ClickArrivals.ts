import { Context, type Effect, type Option } from "effect"
import type { Uuid } from "../values/Uuid.ts"
import type { ClickEvent } from "./ClickEvent.ts"
import type { ClickFilter } from "./ClickFilter.ts"
import type { ClickStoreError } from "./ClickStore.ts"

/**
 * Marks which clicks have been passed at a place in the order of arrival. Opaque; valid in other processes too. Contains only
 * characters that need no escape in a header or in the query of a URL.
 */
export type ArrivalPosition = string

/** The clicks since a position, and the position to continue from. */
export interface Arrivals {
  readonly clicks: ReadonlyArray<ClickEvent>
  /** The position after each of the clicks. */
  readonly positions: ReadonlyArray<ArrivalPosition>
  readonly position: ArrivalPosition
  /** Whether these are all so far; if not, call again at once for more. */
  readonly isAll: boolean
}

/** A stored click. Its position is null if it came with a restored dump: no follower returns it. */
export interface Arrival {
  readonly click: ClickEvent
  readonly position: ArrivalPosition | null
}

/** What is known of positions without asking the store. Positions of followers that look at different moments have no total order. */
export interface ArrivalPositions {
  /** A position that a client has kept; none if the text is not one. */
  readonly parse: (text: string) => Option.Option<ArrivalPosition>
  /** Whether all that `a` has passed, `b` has passed too. May be false where only the store could tell. */
  readonly precedes: (a: ArrivalPosition, b: ArrivalPosition) => boolean
  /** A moment that precedes the position: one that a query can end at. */
  readonly momentBefore: (position: ArrivalPosition) => ArrivalPosition
  /** The position itself or one that precedes it: pages for several followers begin there. */
  readonly pageStart: (position: ArrivalPosition) => ArrivalPosition
  /** Whether a click, given by its own position, has yet to be passed at `position`. */
  readonly isAfter: (position: ArrivalPosition) => (click: ArrivalPosition) => boolean
  /** The position that has passed all that `position` has, and all up to the click. */
  readonly pass: (position: ArrivalPosition, click: ArrivalPosition) => ArrivalPosition
}

/**
 * The clicks in the order in which they become visible, for followers. A click seen by one call comes before all that a later
 * call adds, whatever their times and ids.
 *
 * A follower that starts at `now` and continues from each returned position gets every click stored meanwhile exactly once, even
 * if its transaction was long, or it happened or was received long ago.
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
