import { Clock, Effect } from "effect"

/** Runs an effect at a given time. Does not use the TestClock, by which connections of a pool grow old. */
export const at = <A, E, R>(now: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.updateService(effect, Clock.Clock, (clock) =>
    Object.assign(Object.create(clock), { currentTimeMillis: Effect.succeed(Date.parse(now)) })
  )
