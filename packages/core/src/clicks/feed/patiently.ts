import { Duration, Effect, Schedule } from "effect"
import type { ClickStoreError } from "../ClickStore.ts"

const retries = Schedule.exponential("100 millis").pipe(
  Schedule.modifyDelay(({ duration }) => Effect.succeed(Duration.min(duration, Duration.seconds(2))))
)

/** Waits for a store that is unavailable. What fails otherwise is logged, and tried again, too. */
export const patiently = <A, R>(query: Effect.Effect<A, ClickStoreError, R>): Effect.Effect<A, never, R> =>
  query.pipe(
    Effect.tapError((error) =>
      error.isRetryable ? Effect.void : Effect.logError("Following clicks failed", error)
    ),
    Effect.retry(retries),
    Effect.orDie
  )
