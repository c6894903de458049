import { Context, type Effect } from "effect"
import type { ClickEvent } from "./ClickEvent.ts"
import type { ClickFilter } from "./ClickFilter.ts"
import type { ClickStoreError } from "./ClickStore.ts"

/** Marks which clicks are visible at a moment. Opaque; valid in other processes too. */
export type ArrivalPosition = string

/** The clicks since a position, and the position to continue from. */
export interface Arrivals {
  readonly clicks: ReadonlyArray<ClickEvent>
  readonly position: ArrivalPosition
  /** Whether these are all so far; if not, call again at once for more. */
  readonly isAll: boolean
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
    /** The matching clicks after a position, at most `limit` of them. Calling again with the same position is safe. */
    readonly since: (
      position: ArrivalPosition,
      filter: ClickFilter,
      limit: number
    ) => Effect.Effect<Arrivals, ClickStoreError>
  }
>()("@clicks/core/clicks/ClickArrivals") {}
