import { Duration, Effect, Schedule } from "effect"
import { answerWithin } from "../../answerWithin.ts"
import { ClickStoreError } from "../ClickStore.ts"

/** How long to wait for a store that is unavailable: from 100 ms to 2 s. */
export const retries = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("2 seconds")])

// Longer than a statement may run. A connection whose packets are lost is noticed only after a quarter of an hour.
const longest = Duration.seconds(35)

/** Fails as unavailable if the store does not answer, so that a retry can use another connection. */
export const answered = <A, R>(
  query: Effect.Effect<A, ClickStoreError, R>
): Effect.Effect<A, ClickStoreError, R> =>
  answerWithin(query, longest, () =>
    Effect.fail(
      new ClickStoreError({
        operation: "since",
        reason: "Unavailable",
        cause: new Error(`No answer within ${Duration.format(longest)}`)
      })
    )
  )

/** Retries while the store is unavailable. Also retries other failures, and logs them. */
export const patiently = <A, R>(query: Effect.Effect<A, ClickStoreError, R>): Effect.Effect<A, never, R> =>
  answered(query).pipe(
    Effect.tapError((error) =>
      error.isRetryable ? Effect.void : Effect.logError("Following clicks failed", error)
    ),
    Effect.retry(retries),
    Effect.orDie
  )
