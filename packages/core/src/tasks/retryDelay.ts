import { Duration } from "effect"

/** How long a failed task waits for its next attempt. */
export interface RetryDelays {
  /** Before the second attempt, on average three quarters of it. Doubles with each attempt. */
  readonly first: Duration.Input
  readonly longest: Duration.Input
}

export const defaultRetryDelays: RetryDelays = { first: "5 seconds", longest: "10 minutes" }

/**
 * The wait after a failed attempt (from 1): exponential, of which the second half is drawn by `random` (0 to 1), so that
 * tasks that failed together do not come back together.
 */
export const retryDelay = (
  attempt: number,
  random: number,
  delays: RetryDelays = defaultRetryDelays
): Duration.Duration => {
  const whole = Math.min(
    Duration.toMillis(Duration.fromInputUnsafe(delays.first)) * 2 ** (attempt - 1),
    Duration.toMillis(Duration.fromInputUnsafe(delays.longest))
  )
  return Duration.millis(Math.round(whole / 2 + (whole / 2) * random))
}
