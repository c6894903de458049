import { type Duration, Effect, Fiber } from "effect"

/**
 * Runs the effect, or `orElse` if it takes too long. Unlike a plain timeout, it does not wait until the effect is interrupted: if the
 * server does not respond, a database client may take seconds to cancel a statement.
 */
export const answerWithin = <A, E, R, A2, E2, R2>(
  effect: Effect.Effect<A, E, R>,
  duration: Duration.Input,
  orElse: () => Effect.Effect<A2, E2, R2>
): Effect.Effect<A | A2, E | E2, R | R2> =>
  // Not a generator function: for each one that is created, V8 allocates a map in the old heap, and the map retains everything that the
  // function refers to. Batches of clicks then survived until the old heap was collected.
  Effect.flatMap(Effect.forkDetach(effect, { startImmediately: true }), (fiber) =>
    Fiber.join(fiber).pipe(
      Effect.timeoutOrElse({ duration, orElse }),
      Effect.onExit(() => Effect.forkDetach(Fiber.interrupt(fiber)))
    )
  )
