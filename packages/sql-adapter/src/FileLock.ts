import { closeSync, existsSync, openSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { Data, Effect, Schedule, Scope } from "effect"

/**
 * Locks between processes that end with their holder, however it ends: SQLite's locks on an empty file, because Node has
 * no `flock`. The operating system keeps them, so there is no stale lock to find or to break.
 */

export class FileLockBusy extends Data.TaggedError("FileLockBusy")<{ readonly file: string }> {}
export class FileLockUnusable extends Data.TaggedError("FileLockUnusable")<{ readonly file: string }> {}

/** SQLITE_BUSY */
const busy = 5

const isBusy = (cause: unknown): boolean =>
  cause instanceof Error && "errcode" in cause && cause.errcode === busy

type Release = () => void

const take = (file: string, statements: string): Release => {
  // SQLite would create it readable by all users. An existing file stays closed: closing it would release this process's locks on it.
  if (!existsSync(file)) closeSync(openSync(file, "a", 0o600))
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    // A journal on disk would need room there, and outlive a killed holder.
    database.exec(`pragma journal_mode = memory; ${statements}`)
    return () => database.close()
  } catch (cause) {
    database.close()
    throw cause
  }
}

const exclusive = "begin exclusive"

/** Takes the file alone until it is released; undefined when another holder has it. Throws when the file cannot be a lock. */
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

/** Holds the file alone until the scope closes; fails with `FileLockBusy` at once when anybody else has it. */
export const alone = (file: string) => lock(file, exclusive)

/** Holds the file together with other sharers until the scope closes. */
export const shared = (file: string) => lock(file, "begin; select count(*) from sqlite_schema")

const retryInterval = 20

/** Runs the effect while holding the file alone; waits for it at most `patience` milliseconds. */
export const whileAlone = <A, E, R>(file: string, patience: number, effect: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Scope.make(),
    (scope) =>
      alone(file).pipe(
        Scope.provide(scope),
        Effect.retry({
          while: (error) => error._tag === "FileLockBusy",
          times: Math.ceil(patience / retryInterval),
          schedule: Schedule.spaced(retryInterval)
        }),
        Effect.andThen(effect)
      ),
    Scope.close
  )
