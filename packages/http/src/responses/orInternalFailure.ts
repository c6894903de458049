import { Cause, Effect } from "effect"
import { InternalFailure } from "./errors.ts"

/**
 * The outermost ring of an endpoint: whatever fails inside, expected or a bug, is logged once with its cause and answered
 * with a sentence that shows nothing of it. An interruption stays one.
 */
export const orInternalFailure =
  (message: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, InternalFailure, R> =>
    Effect.catchCause(self, (cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.interrupt
        : Effect.logError(message, cause).pipe(Effect.andThen(new InternalFailure({ error: message })))
    )
