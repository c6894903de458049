import { Clock, Duration, Effect } from "effect"
import { ClickArchive } from "./ClickArchive.ts"
import type { Deletion } from "./Cut.ts"
import { gracePeriod, HotBatches } from "./HotBatches.ts"
import { HotClicks } from "./HotClicks.ts"

/**
 * Deletes what abandoned attempts left in the archive, and from the hot store the clicks that were moved at least a grace period ago.
 * Returns the number of the latter.
 */
export const sweepTiers = Effect.gen(function* () {
  const cut = yield* HotClicks.use((hot) => hot.cut)
  if (cut === null) return 0
  // Before the deletion, `ping` checks that the archive still belongs to this store.
  yield* ClickArchive.use(({ forget, ping }) => Effect.andThen(ping, forget(cut.abandoned)))
  const now = yield* Clock.currentTimeMillis
  return yield* HotBatches.use((batches) =>
    batches.removeMoved(new Date(now - Duration.toMillis(gracePeriod)))
  )
}).pipe(Effect.withSpan("sweepTiers"))

// Longer than any page takes. Streams are not affected: each reads one snapshot of each tier.
const longestPage = Duration.minutes(1)

/**
 * Deletes clicks from both tiers. They disappear for all readers at the same moment or, while the hot store has never caught up, step by
 * step. Takes more than a minute. May be killed at any point, run again, or run several times at once.
 */
export const expireClicks = (deletion: Deletion) =>
  Effect.gen(function* () {
    const batches = yield* HotBatches
    yield* batches.expire(deletion)
    yield* Effect.sleep(longestPage)
    yield* ClickArchive.use(({ ping, remove }) => Effect.andThen(ping, remove(deletion)))
    return yield* batches.removeExpired(deletion)
  }).pipe(Effect.withSpan("expireClicks"))
