import { type Duration, Effect, Fiber } from "effect"

/**
 * The effect's answer, or `orElse` if it takes too long. Unlike a plain timeout, it does not wait until the effect is interrupted: if the
 * server does not answer, a database client may take seconds to cancel a statement.
 */
export const answerWithin = <A, E, R, A2, E2, R2>(
  effect: Effect.Effect<A, E, R>,
  duration: Duration.Input,
  orElse: () => Effect.Effect<A2, E2, R2>
): Effect.Effect<A | A2, E | E2, R | R2> =>
  // Not a generator: V8 creates a map for each new generator function in the old heap, and that retains everything the function refers to.
  // Batches of clicks were mostly collected with the old heap instead of the young one.
  Effect.flatMap(Effect.forkDetach(effect, { startImmediately: true }), (fiber) =>
    Fiber.join(fiber).pipe(
      Effect.timeoutOrElse({ duration, orElse }),
      Effect.onExit(() => Effect.forkDetach(Fiber.interrupt(fiber)))
    )
  )
