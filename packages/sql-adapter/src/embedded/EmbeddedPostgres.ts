import { Effect, Exit, Queue, Redacted, Schedule, Scope } from "effect"
import * as FileLock from "../FileLock.ts"
import * as Cluster from "./Cluster.ts"
import { type DataFolder, open } from "./DataFolder.ts"
import { type EmbeddedPostgresError, unavailable } from "./EmbeddedPostgresError.ts"
import * as Server from "./Server.ts"

/** The embedded PostgreSQL. */
export interface EmbeddedPostgres {
  /** Where to log in, with the password. It stays the same while the scope is open. */
  readonly url: Redacted.Redacted
  readonly port: number
}

export interface EmbeddedPostgresOptions {
  /** The folder that holds the database; created if it is missing. */
  readonly dataDir: string
  /** Server settings, used if this process starts the server. `fsync: "off"` is for tests. */
  readonly settings?: Server.Settings
}

/** Longer than a process may hold the lock to start the server, in milliseconds. */
const lockTimeout = Server.startTimeout + 30_000

/** Runs the effect. Meanwhile, no other process starts or stops the server. */
const whileAlone = <A, R>(
  { path, startStopLock }: DataFolder,
  effect: Effect.Effect<A, EmbeddedPostgresError | FileLock.FileLockBusy | FileLock.FileLockUnusable, R>
) =>
  FileLock.whileAlone(startStopLock, lockTimeout, effect).pipe(
    Effect.catchTags({
      FileLockBusy: () =>
        unavailable(
          `Another process has been starting or stopping the database in ${path} for ${lockTimeout / 1000} seconds. Stop that clicks process and try again.`
        ),
      FileLockUnusable: ({ file }) =>
        unavailable(
          `Cannot use the lock file ${file}. Fix its permissions, or set CLICKS_DATA_DIR to a folder on a local disk.`
        )
    })
  )

/** Whether any process uses the server, this one included. */
const hasUsers = ({ usersLock }: DataFolder) =>
  Effect.scoped(FileLock.alone(usersLock)).pipe(
    Effect.as(false),
    Effect.catchTag("FileLockBusy", () => Effect.succeed(true))
  )

const leave = (folder: DataFolder, lease: Scope.Closeable) =>
  whileAlone(
    folder,
    Scope.close(lease, Exit.void).pipe(
      Effect.andThen(hasUsers(folder)),
      Effect.flatMap((shared) => (shared ? Effect.void : Server.stop(folder)))
    )
  ).pipe(
    Effect.catch((error) => Effect.logWarning(`The embedded PostgreSQL is still running. ${error.message}`)),
    Effect.ensuring(Scope.close(lease, Exit.void))
  )

/** Makes this process a user of the server while the scope is open. The last user stops the server. */
const join = Effect.fnUntraced(function* (folder: DataFolder, settings: Server.Settings) {
  const shared = yield* hasUsers(folder)
  yield* Effect.acquireRelease(
    Effect.tap(Scope.make(), (lease) => Scope.provide(FileLock.shared(folder.usersLock), lease)),
    (lease) => leave(folder, lease)
  )
  return yield* Server.ensure(folder, settings, shared)
})

/** Stays connected until the connection is lost, and then fails. The connection is lost as soon as the server stops. */
const untilLost = (login: Server.Login) =>
  Server.connect(login).pipe(
    Effect.flatMap((connection) => connection.listen("clicks_embedded")),
    Effect.flatMap((notifications) => Effect.forever(Queue.take(notifications))),
    Effect.scoped
  )

const recover = Effect.fnUntraced(function* (folder: DataFolder, settings: Server.Settings) {
  yield* Effect.logWarning("Lost connection to the embedded PostgreSQL; checking that it is running")
  yield* whileAlone(folder, Server.ensure(folder, settings, true))
  yield* Effect.logInfo("The embedded PostgreSQL is running")
})

/** Restarts the server on the same port whenever it stops while it is in use. Never gives up. */
const keepRunning = (folder: DataFolder, settings: Server.Settings, login: Server.Login) =>
  untilLost(login).pipe(
    Effect.catch(() => recover(folder, settings)),
    Effect.tapError((error) => Effect.logError(error.message)),
    Effect.retry(Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("10 seconds")])),
    // Limits how often a connection that keeps breaking is restored.
    Effect.delay("50 millis"),
    Effect.forever
  )

/**
 * Returns the running server of the data folder, or starts one; creates the database if there is none. Each process is a user of the server
 * until its scope closes or it ends, even if it is killed. The server runs as long as it has a user; the last user stops it.
 */
export const acquire = Effect.fn("EmbeddedPostgres.acquire")(function* ({
  dataDir,
  settings = {}
}: EmbeddedPostgresOptions): Effect.fn.Return<EmbeddedPostgres, EmbeddedPostgresError, Scope.Scope> {
  const folder = yield* open(dataDir)
  const login = yield* whileAlone(folder, join(folder, settings))
  yield* Effect.forkScoped(keepRunning(folder, settings, login))
  const { port } = login
  const password = Redacted.value(login.password)
  const address = `${Server.host}:${port}/${Cluster.database}`
  return { url: Redacted.make(`postgres://${Cluster.username}:${password}@${address}`), port }
})
