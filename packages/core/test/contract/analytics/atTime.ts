import { Clock, Effect } from "effect"

/** Runs an effect at a time. Not with the TestClock: connections of a pool grow old with it. */
export const at = <A, E, R>(now: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.updateService(effect, Clock.Clock, (clock) =>
    Object.assign(Object.create(clock), { currentTimeMillis: Effect.succeed(Date.parse(now)) })
  )
