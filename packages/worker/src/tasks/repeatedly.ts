import { Duration, Effect } from "effect"

/**
 * Does something again and again, for ever, with a pause in between. A failure is logged when it begins and when it is over,
 * not each time: `what` says what it is that does not work.
 */
export const repeatedly = Effect.fnUntraced(function* <A, E, R>(
  what: string,
  every: Duration.Input,
  effect: Effect.Effect<A, E, R>
): Effect.fn.Return<never, never, R> {
  const pause = Duration.fromInputUnsafe(every)
  let isFailing = false
  const succeeded = Effect.suspend(() => {
    const isNews = isFailing
    isFailing = false
    return isNews ? Effect.logInfo(`${what} succeeded again`) : Effect.void
  })
  const failed = (cause: unknown) => {
    const isNews = !isFailing
    isFailing = true
    return isNews ? Effect.logWarning(`${what} failed; retrying`, cause) : Effect.void
  }
  return yield* Effect.forever(
    effect.pipe(
      Effect.matchCauseEffect({ onSuccess: () => succeeded, onFailure: failed }),
      Effect.andThen(Effect.sleep(pause))
    )
  )
})
