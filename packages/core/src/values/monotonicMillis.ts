import { Clock, Effect } from "effect"

/**
 * Milliseconds of a monotonic clock, for deadlines and pauses, which must not last longer when an operator or NTP sets the time of day
 * back. Only differences are meaningful.
 */
export const monotonicMillisUnsafe = (clock: Clock.Clock): number =>
  Number(clock.monotonicTimeNanosUnsafe()) / 1e6

/** `monotonicMillisUnsafe` of the current clock. */
export const monotonicMillis: Effect.Effect<number> = Effect.map(
  Clock.monotonicTimeNanos,
  (nanos) => Number(nanos) / 1e6
)
