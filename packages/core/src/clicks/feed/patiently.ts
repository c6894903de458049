import { Effect, Schedule } from "effect"
import type { ClickStoreError } from "../ClickStore.ts"

/** How long to wait for a store that is unavailable: from 100 ms to 2 s. */
export const retries = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("2 seconds")])

/** Retries while the store is unavailable. Also retries other failures, and logs them. */
export const patiently = <A, R>(query: Effect.Effect<A, ClickStoreError, R>): Effect.Effect<A, never, R> =>
  query.pipe(
    Effect.tapError((error) =>
      error.isRetryable ? Effect.void : Effect.logError("Following clicks failed", error)
    ),
    Effect.retry(retries),
    Effect.orDie
  )
