import { Effect } from "effect"
import { InternalFailure } from "./errors.ts"

/** Logs a failure inside and answers with a sentence that shows nothing of it. */
export const inside =
  (message: string) =>
  (cause: Error): Effect.Effect<never, InternalFailure> =>
    Effect.andThen(Effect.logError(message, cause), new InternalFailure({ error: message }))
