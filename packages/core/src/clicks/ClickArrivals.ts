import { Context, type Effect } from "effect"
import type { ClickEvent } from "./ClickEvent.ts"
import type { ClickFilter } from "./ClickFilter.ts"
import type { ClickStoreError } from "./ClickStore.ts"

/** A moment of the store: which clicks it has. Opaque to its users; as good in another process as in this one. */
export type ArrivalPosition = string

/** Clicks that have come since a position, and the position to go on from. */
export interface Arrivals {
  readonly clicks: ReadonlyArray<ClickEvent>
  readonly position: ArrivalPosition
  /** Whether this was all there was when it was asked; if not, asking again at once may give more. */
  readonly isAll: boolean
}

/**
 * The clicks as they come to be stored, for those who follow them. What has come by one look stands before what comes by a
 * later one, whatever the times and ids of the clicks say.
 *
 * Whoever goes from `now` through the positions of one answer after the other meets every click that is stored meanwhile
 * exactly once: also one that is written for long, or happened, or was received, long ago.
 */
export class ClickArrivals extends Context.Service<
  ClickArrivals,
  {
    /** The position at which every click that is stored by now has been met. */
    readonly now: Effect.Effect<ArrivalPosition, ClickStoreError>
    /** The clicks after a position that match, at most `limit` of them. Asking again from the same position is safe. */
    readonly since: (
      position: ArrivalPosition,
      filter: ClickFilter,
      limit: number
    ) => Effect.Effect<Arrivals, ClickStoreError>
  }
>()("@clicks/core/clicks/ClickArrivals") {}
