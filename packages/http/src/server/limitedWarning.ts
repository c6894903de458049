import { monotonicMillis } from "@clicks/core/values/monotonicMillis"
import { Effect } from "effect"

const pauseMillis = 60_000

/**
 * Creates a logger for warnings that clients can cause at will. It logs at most one line a minute, with the number of warnings omitted
 * before it.
 */
export const limitedWarning = (): ((message: string, cause?: unknown) => Effect.Effect<void>) => {
  let silentUntil = Number.NEGATIVE_INFINITY
  let omitted = 0
  return (message, cause) =>
    Effect.flatMap(monotonicMillis, (now) => {
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
