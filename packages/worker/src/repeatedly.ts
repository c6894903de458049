import { type Duration, Effect } from "effect"

/**
 * Returns a function that logs failures of an effect and replaces them with a value. Of a series of failures, only the first is logged, and
 * then the next success. `what` names the operation.
 */
export const logOutages = <B>(what: string, fallback: B) => {
  let isFailing = false
  const changed = (now: boolean, log: Effect.Effect<void>) =>
    Effect.suspend(() => {
      if (isFailing === now) return Effect.void
      isFailing = now
      return log
    })
  return <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A | B, never, R> =>
    effect.pipe(
      Effect.tap(() => changed(false, Effect.logInfo(`${what} succeeded again`))),
      Effect.catchCause((cause) =>
        Effect.as(changed(true, Effect.logWarning(`${what} failed; retrying`, cause)), fallback)
      )
    )
}

/** Runs an effect forever, with a pause after each run. `what` names it in the log if it fails. */
export const repeatedly = <A, E, R>(
  what: string,
  every: Duration.Input,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<never, never, R> =>
  effect.pipe(logOutages(what, undefined), Effect.andThen(Effect.sleep(every)), Effect.forever)
