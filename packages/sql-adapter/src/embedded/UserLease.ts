import { Effect, Exit, Scope } from "effect"
import * as FileLock from "../FileLock.ts"
import type { DataFolder } from "./DataFolder.ts"
import { EmbeddedPostgresError, folderUnusable } from "./EmbeddedPostgresError.ts"
import * as Postmaster from "./Postmaster.ts"

/** Longer than anyone may hold the start lock for a start. */
const lockPatience = Postmaster.startPatience + 30_000

const busy = (folder: DataFolder) =>
  new EmbeddedPostgresError({
    reason: "Busy",
    message: `Another process has been starting or stopping the database in ${folder.path} for ${lockPatience / 1000} seconds. Stop that clicks process and try again.`
  })

const lockUnusable = (file: string) =>
  folderUnusable(
    `Cannot use the lock file ${file}. Fix its permissions, or set CLICKS_DATA_DIR to a folder on a local disk.`
  )

/** For who starts or stops the server: one process at a time. */
export const alone = <A, R>(
  folder: DataFolder,
  effect: Effect.Effect<A, EmbeddedPostgresError | FileLock.FileLockBusy | FileLock.FileLockUnusable, R>
) =>
  FileLock.whileAlone(folder.startStopLock, lockPatience, effect).pipe(
    Effect.catchTags({
      FileLockBusy: () => busy(folder),
      FileLockUnusable: ({ file }) => lockUnusable(file)
    })
  )

/** Whether any process uses the server, this one included; for who holds the start lock. */
export const isShared = (folder: DataFolder) =>
  Effect.scoped(FileLock.alone(folder.usersLock)).pipe(
    Effect.as(false),
    Effect.catchTag("FileLockBusy", () => Effect.succeed(true))
  )

const leave = (folder: DataFolder, lease: Scope.Closeable) =>
  alone(
    folder,
    Scope.close(lease, Exit.void).pipe(
      Effect.andThen(isShared(folder)),
      Effect.flatMap((shared) => (shared ? Effect.void : Postmaster.stop(folder)))
    )
  ).pipe(
    Effect.catch((error) => Effect.logWarning(`The embedded PostgreSQL is still running. ${error.message}`)),
    Effect.ensuring(Scope.close(lease, Exit.void))
  )

/** Counts this process among the users for as long as the scope is open; whoever leaves last stops the server. */
export const join = (folder: DataFolder) =>
  Effect.acquireRelease(
    Effect.tap(Scope.make(), (lease) => Scope.provide(FileLock.shared(folder.usersLock), lease)),
    (lease) => leave(folder, lease)
  )
