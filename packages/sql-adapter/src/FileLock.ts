import { closeSync, existsSync, openSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { Data, Effect, Schedule, Scope } from "effect"

/**
 * Locks between processes. They are SQLite's locks on an empty file, because Node has no `flock`. The operating system releases them when
 * their holder ends, even if it is killed, so there are no stale locks.
 */

export class FileLockBusy extends Data.TaggedError("FileLockBusy")<{ readonly file: string }> {}
export class FileLockUnusable extends Data.TaggedError("FileLockUnusable")<{ readonly file: string }> {}

/** SQLITE_BUSY */
const busy = 5

const isBusy = (cause: unknown): boolean =>
  cause instanceof Error && "errcode" in cause && cause.errcode === busy

type Release = () => void

const take = (file: string, statements: string): Release => {
  // SQLite would create the file readable by all users. An existing file must not be opened here: closing it would release this process's
  // locks on it.
  if (!existsSync(file)) closeSync(openSync(file, "a", 0o600))
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    // A journal on disk would need free space, and would remain after the holder is killed.
    database.exec(`pragma journal_mode = memory; ${statements}`)
    return () => database.close()
  } catch (cause) {
    database.close()
    throw cause
  }
}

const exclusive = "begin exclusive"

/** Locks the file exclusively until the release. Returns undefined if it is locked; throws if the file cannot be used as a lock. */
export const tryAlone = (file: string): Release | undefined => {
  try {
    return take(file, exclusive)
  } catch (cause) {
    if (isBusy(cause)) return undefined
    throw cause
  }
}

const lock = (file: string, statements: string) =>
  Effect.acquireRelease(
    Effect.try({
      try: () => take(file, statements),
      catch: (cause) => (isBusy(cause) ? new FileLockBusy({ file }) : new FileLockUnusable({ file }))
    }),
    (release) => Effect.sync(release)
  )

/** Locks the file exclusively until the scope closes. Fails at once with `FileLockBusy` if it is locked. */
export const alone = (file: string) => lock(file, exclusive)

/** Locks the file in shared mode until the scope closes. */
export const shared = (file: string) => lock(file, "begin; select count(*) from sqlite_schema")

const retryInterval = 20

/** Runs the effect with the file locked exclusively. Waits at most `timeout` milliseconds for the lock. */
export const whileAlone = <A, E, R>(file: string, timeout: number, effect: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Scope.make(),
    (scope) =>
      alone(file).pipe(
        Scope.provide(scope),
        Effect.retry({
          while: (error) => error._tag === "FileLockBusy",
          times: Math.ceil(timeout / retryInterval),
          schedule: Schedule.spaced(retryInterval)
        }),
        Effect.andThen(effect)
      ),
    Scope.close
  )
