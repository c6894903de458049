import { Duration, Effect, Schedule } from "effect"
import type { SqlError } from "effect/sql"

// While a change of the schema waits for a table's lock, all later statements on the table wait too, and a reader may take hours (an
// export). So it gives up soon, lets the others through, and retries.
/** The value for `set local lock_timeout`. */
export const lockTimeout = "1s"
const pause = Duration.seconds(2)

const isLocked = ({ reason }: SqlError.SqlError): boolean =>
  reason._tag === "LockTimeoutError" || reason._tag === "DeadlockError"

/** Retries a change of the schema until it is not blocked by a lock of another session. Logs when the blocking begins and when it ends. */
export const whileLocked = <A, R>(effect: Effect.Effect<A, SqlError.SqlError, R>) =>
  Effect.suspend(() => {
    let isBlocked = false
    const logOnce = Effect.suspend(() => {
      if (isBlocked) return Effect.void
      isBlocked = true
      return Effect.logWarning("Migration is blocked by a lock of another session; retrying until it is free")
    })
    return effect.pipe(
      Effect.tapError((error) => (isLocked(error) ? logOnce : Effect.void)),
      Effect.retry({ while: isLocked, schedule: Schedule.spaced(pause) }),
      Effect.tap(() => (isBlocked ? Effect.logInfo("Migration is no longer blocked") : Effect.void))
    )
  })
