import { Duration, Effect, Option, Stream } from "effect"
import { type ArrivalPosition, ClickArrivals } from "./ClickArrivals.ts"
import type { ClickEvent } from "./ClickEvent.ts"
import type { ClickFilter } from "./ClickFilter.ts"
import type { ClickStoreError } from "./ClickStore.ts"
import { answered, retries } from "./feed/patiently.ts"

/** The number of clicks read at once: about 600 kB in memory. */
const batch = 1000

/** The pause if there are no new clicks. A query that finds none takes half a millisecond. */
const pause = Duration.millis(250)

/** Callbacks of a follower. */
export interface FollowOptions {
  /** Every click that is stored from now on will be emitted. */
  readonly onStart: Effect.Effect<void>
  /** The store is unavailable. Called once per outage. */
  readonly onAway: (error: ClickStoreError) => Effect.Effect<void>
  readonly onBack: Effect.Effect<void>
}

const sinceOrLater = Effect.fnUntraced(function* (
  position: ArrivalPosition,
  filter: ClickFilter,
  { onAway, onBack }: FollowOptions
) {
  const arrivals = yield* ClickArrivals
  let isAway = false
  const look = answered(arrivals.since(position, filter, batch)).pipe(
    Effect.tapError((error) => {
      const isFirst = error.isRetryable && !isAway
      isAway = true
      return isFirst ? onAway(error) : Effect.void
    })
  )
  const found = yield* Effect.retry(look, { schedule: retries, while: (error) => error.isRetryable })
  if (isAway) yield* onBack
  return found
})

/**
 * The endless stream of matching clicks that are stored from now on, each exactly once. If the store becomes unavailable, it waits, then
 * emits the clicks stored meanwhile.
 *
 * Fails if the store is unavailable at the start.
 */
export const followClicks = (
  filter: ClickFilter,
  options: FollowOptions
): Stream.Stream<ClickEvent, ClickStoreError, ClickArrivals> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const start = yield* ClickArrivals.use((arrivals) => arrivals.now)
      yield* options.onStart
      return Stream.paginate(
        start,
        Effect.fnUntraced(function* (from) {
          const { clicks, isAll, position } = yield* sinceOrLater(from, filter, options)
          if (isAll && clicks.length === 0) yield* Effect.sleep(pause)
          return [clicks, Option.some(position)] as const
        })
      )
    })
  )
