import { Clock, Duration, Effect } from "effect"

/**
 * Runs a test with a clock. `setBack` sets back its time of day, as an operator or NTP may; timers and the monotonic time are not affected.
 */
export const withSettableClock = <A, E, R>(
  test: (setBack: (by: Duration.Input) => Effect.Effect<void>) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.flatMap(Clock.Clock, (clock) => {
    let behind = 0
    const millis = () => clock.currentTimeMillisUnsafe() - behind
    const nanos = () => clock.currentTimeNanosUnsafe() - BigInt(behind) * 1_000_000n
    const settable = {
      ...clock,
      currentTimeMillisUnsafe: millis,
      currentTimeMillis: Effect.sync(millis),
      currentTimeNanosUnsafe: nanos,
      currentTimeNanos: Effect.sync(nanos)
    }
    const setBack = (by: Duration.Input) =>
      Effect.sync(() => {
        behind += Duration.toMillis(Duration.fromInputUnsafe(by))
      })
    return Effect.provideService(test(setBack), Clock.Clock, settable)
  })
