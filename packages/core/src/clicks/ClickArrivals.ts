import { Context, type Effect, type Option } from "effect"
import type { Uuid } from "../values/Uuid.ts"
import type { ClickEvent } from "./ClickEvent.ts"
import type { ClickFilter } from "./ClickFilter.ts"
import type { ClickStoreError } from "./ClickStore.ts"

/**
 * A place in the order of arrival: it identifies the clicks that a follower has passed. Opaque, and valid in other processes too. Its
 * characters need no escaping in a header or in the query of a URL.
 */
export type ArrivalPosition = string

/** The clicks since a position, and the position to continue from. */
export interface Arrivals {
  readonly clicks: ReadonlyArray<ClickEvent>
  /** The position after each click. */
  readonly positions: ReadonlyArray<ArrivalPosition>
  readonly position: ArrivalPosition
  /** Whether these are all clicks so far. If not, call again at once for more. */
  readonly isAll: boolean
}

/** A stored click. Its position is null if it came with a restored dump: no follower returns it. */
export interface Arrival {
  readonly click: ClickEvent
  readonly position: ArrivalPosition | null
}

/** Operations on positions that do not need the store. Positions of followers that read different snapshots have no total order. */
export interface ArrivalPositions {
  /** A position that a client has kept; none if the text is not one. */
  readonly parse: (text: string) => Option.Option<ArrivalPosition>
  /** Whether `b` has passed every click that `a` has passed. May be false if only the store can decide. */
  readonly precedes: (a: ArrivalPosition, b: ArrivalPosition) => boolean
  /** A snapshot before the position, at which a query can end. */
  readonly momentBefore: (position: ArrivalPosition) => ArrivalPosition
  /** The position at which a page for several followers begins: this one or an earlier one. */
  readonly pageStart: (position: ArrivalPosition) => ArrivalPosition
  /** Whether a click, given by its own position, has yet to be passed at `position`. */
  readonly isAfter: (position: ArrivalPosition) => (click: ArrivalPosition) => boolean
  /** `position`, moved past all clicks up to this one. */
  readonly pass: (position: ArrivalPosition, click: ArrivalPosition) => ArrivalPosition
}

/**
 * The clicks in the order in which they become visible, for followers. A click returned by one call comes before all clicks that a later
 * call adds, whatever their times and ids.
 *
 * A follower that starts at `now` and continues from each returned position gets every click stored since then exactly once, even if the
 * click's transaction was long, or the click occurred or was received long ago.
 */
export class ClickArrivals extends Context.Service<
  ClickArrivals,
  {
    /** The position after all clicks that are stored now. */
    readonly now: Effect.Effect<ArrivalPosition, ClickStoreError>
    /**
     * The matching clicks after a position, at most `limit` of them. Calling again with the same position is safe. `until` is a snapshot
     * after the position at which to end: the last page has it as its position.
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
