import type { ClickArchive } from "@clicks/core/clicks/tiers/ClickArchive"
import type { HotBatches } from "@clicks/core/clicks/tiers/HotBatches"
import type { HotClicks } from "@clicks/core/clicks/tiers/HotClicks"
import { moveBatch } from "@clicks/core/clicks/tiers/moveBatch"
import { sweepTiers } from "@clicks/core/clicks/tiers/sweepTiers"
import { Duration, Effect, Exit, Layer, Metric } from "effect"
import { repeatedly } from "../repeatedly.ts"

const moved = Metric.counter("clicks_archive_moved_total", {
  description: "Clicks moved to the archive by this process",
  incremental: true
})

const removed = Metric.counter("clicks_archive_removed_total", {
  description: "Clicks removed from the database after they were moved",
  incremental: true
})

// After a batch of this size, more clicks are waiting, or will be before a pause is over.
const large = 50_000

const move = Effect.repeat(
  Effect.tap(moveBatch, (count) => Metric.update(moved, count)),
  { while: (count) => count >= large }
)

// Every later read lists the numbers of failed attempts: with 36,000 of them, a page takes ten times as long.
const longestPause = Duration.minutes(1)

/** If the effect failed the last time, waits before running it: a second, then twice as long each time. */
const withBackoff = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => {
  let pause = Duration.zero
  return Effect.suspend(() => Effect.sleep(pause)).pipe(
    Effect.andThen(effect),
    Effect.onExit((exit) =>
      Effect.sync(() => {
        pause = Exit.isSuccess(exit)
          ? Duration.zero
          : Duration.min(longestPause, Duration.max(Duration.seconds(1), Duration.times(pause, 2)))
      })
    )
  )
}

const sweep = Effect.tap(sweepTiers, (count) => Metric.update(removed, count))

export interface ClickMoverOptions {
  /** The pause between batches while few clicks arrive. Each batch becomes a part in the archive. */
  readonly every?: Duration.Input
}

/**
 * Moves clicks to the archive and, a grace period later, removes them from the hot store, as long as the layer lives. Any number of
 * processes may run it; only one moves at a time. While the archive is unavailable, clicks wait in the database.
 */
export const layer = ({
  every = "1 second"
}: ClickMoverOptions = {}): Layer.Layer<never, never, ClickArchive | HotBatches | HotClicks> =>
  Layer.effectDiscard(
    Effect.forkScoped(
      Effect.all(
        [
          repeatedly("Moving clicks to the archive", every, withBackoff(move)),
          repeatedly("Removing clicks that are in the archive", "1 minute", sweep)
        ],
        { concurrency: 2, discard: true }
      )
    )
  )
