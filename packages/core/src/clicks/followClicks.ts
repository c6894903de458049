import { Duration, Effect, Option, Schedule, Stream } from "effect"
import { type ArrivalPosition, ClickArrivals } from "./ClickArrivals.ts"
import type { ClickEvent } from "./ClickEvent.ts"
import type { ClickFilter } from "./ClickFilter.ts"
import type { ClickStoreError } from "./ClickStore.ts"

/** Clicks asked for at once: some 600 kB in memory. */
const batch = 1000

/** How long to wait when nothing is new. A look that finds nothing takes half a millisecond. */
const pause = Duration.millis(250)

/** How long to wait for a store that is away: soon at first, every two seconds in the end. */
const patience = Schedule.exponential("100 millis").pipe(
  Schedule.modifyDelay(({ duration }) => Effect.succeed(Duration.min(duration, Duration.seconds(2))))
)

/** What the follower has to tell beside the clicks. */
export interface FollowOptions {
  /** From now on every click that is stored will be given. */
  readonly onStart: Effect.Effect<void>
  /** The store is away; told once, until it is back. */
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
  const look = arrivals.since(position, filter, batch).pipe(
    Effect.tapError((error) => {
      const isFirst = error.isRetryable && !isAway
      isAway = true
      return isFirst ? onAway(error) : Effect.void
    })
  )
  const found = yield* Effect.retry(look, { schedule: patience, while: (error) => error.isRetryable })
  if (isAway) yield* onBack
  return found
})

/**
 * Clicks that match, as they come to be stored, from now on and without end: each once, none left out. A store that goes away
 * is waited for, and what was stored meanwhile follows.
 *
 * Fails when the store is away at the start.
 */
export const followClicks = (
  filter: ClickFilter,
  options: FollowOptions
): Stream.Stream<ClickEvent, ClickStoreError, ClickArrivals> =>
  Stream.unwrap(
    Effect.map(
      Effect.tap(
        ClickArrivals.use((arrivals) => arrivals.now),
        options.onStart
      ),
      (start) =>
        Stream.paginate(start, (position) =>
          sinceOrLater(position, filter, options).pipe(
            Effect.tap(({ clicks, isAll }) =>
              isAll && clicks.length === 0 ? Effect.sleep(pause) : Effect.void
            ),
            Effect.map(({ clicks, position }) => [clicks, Option.some(position)] as const)
          )
        )
    )
  )
