import { Clock, Effect } from "effect"

const pauseMillis = 60_000

/**
 * A warning that clients can cause at will: at most one log line a minute, which counts the ones left out since the line
 * before.
 */
export const limitedWarning = (): ((message: string, cause?: unknown) => Effect.Effect<void>) => {
  let silentUntil = 0
  let omitted = 0
  return (message, cause) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (now < silentUntil) {
        omitted++
        return Effect.void
      }
      const line = omitted === 0 ? message : `${message} (and ${omitted} more like it since the last warning)`
      silentUntil = now + pauseMillis
      omitted = 0
      return cause === undefined ? Effect.logWarning(line) : Effect.logWarning(line, cause)
    })
}
