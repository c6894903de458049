import { Duration } from "effect"

/** The delays before further attempts of a failed task. */
export interface RetryDelays {
  /** The longest delay before the second attempt; on average, it is three quarters of this. Doubles with each attempt. */
  readonly first: Duration.Input
  readonly longest: Duration.Input
}

export const defaultRetryDelays: RetryDelays = { first: "5 seconds", longest: "10 minutes" }

/**
 * The delay after a failed attempt (from 1). It grows exponentially, and `random` (0 to 1) determines its second half, so that tasks that
 * failed together are not retried together.
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
