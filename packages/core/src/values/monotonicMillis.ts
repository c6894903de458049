import { Clock, Effect } from "effect"

/**
 * Milliseconds of a clock that is never set, for deadlines and pauses: when an operator or NTP sets the time of day back, they must not
 * last longer. Only differences mean something.
 */
export const monotonicMillisUnsafe = (clock: Clock.Clock): number =>
  Number(clock.monotonicTimeNanosUnsafe()) / 1e6

/** `monotonicMillisUnsafe` of the current clock. */
export const monotonicMillis: Effect.Effect<number> = Effect.map(
  Clock.monotonicTimeNanos,
  (nanos) => Number(nanos) / 1e6
)
