import { Context, Effect, Layer, Redacted, Schedule, type Scope } from "effect"
import * as Cluster from "./Cluster.ts"
import { type DataFolder, open } from "./DataFolder.ts"
import type { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"
import { host } from "./LoopbackPort.ts"
import * as Postmaster from "./Postmaster.ts"
import type { Settings } from "./ServerLaunch.ts"
import * as Session from "./Session.ts"
import * as UserLease from "./UserLease.ts"

/** The PostgreSQL that Clicks brings along, and how to log in to it. It stays at this address while the scope is open. */
export class EmbeddedPostgres extends Context.Service<
  EmbeddedPostgres,
  {
    readonly host: string
    readonly port: number
    readonly username: string
    readonly password: Redacted.Redacted
    readonly database: string
    readonly url: Redacted.Redacted
  }
>()("@clicks/sql-adapter/embedded/EmbeddedPostgres") {}

export interface EmbeddedPostgresOptions {
  /** The folder that holds the database; made where it is missing. */
  readonly dataDir: string
  /** Server settings for the time the server runs, should it be this process that starts it. `fsync: "off"` is for tests. */
  readonly settings?: Settings
}

const recover = Effect.fnUntraced(function* (folder: DataFolder, settings: Settings, login: Session.Login) {
  yield* Effect.logWarning("Lost connection to the embedded PostgreSQL; checking that it is running")
  const { port } = yield* UserLease.alone(folder, Postmaster.ensure(folder, settings, true))
  if (port === login.port) return yield* Effect.logInfo("The embedded PostgreSQL is running")
  yield* Effect.logError(`The embedded PostgreSQL moved to port ${port}; restart this process`)
})

/** Starts the server again, at the same address, whenever it ends while it is in use. Never gives up. */
const keepRunning = (folder: DataFolder, settings: Settings, login: Session.Login) =>
  Session.untilLost(login).pipe(
    Effect.catch(() => recover(folder, settings, login)),
    Effect.tapError((error) => Effect.logError(error.message)),
    Effect.retry(Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("10 seconds")])),
    // A connection that breaks again and again must not become a busy loop.
    Effect.delay("50 millis"),
    Effect.forever
  )

/**
 * The running server of the data folder, or a new one; makes the database where there is none. Every process that holds the
 * scope is a user, also when it is killed: the last to leave stops the server, and while one is there it is kept running.
 */
export const acquire = Effect.fn("EmbeddedPostgres.acquire")(function* ({
  dataDir,
  settings = {}
}: EmbeddedPostgresOptions): Effect.fn.Return<
  EmbeddedPostgres["Service"],
  EmbeddedPostgresError,
  Scope.Scope
> {
  const folder = yield* open(dataDir)
  const join = Effect.gen(function* () {
    const shared = yield* UserLease.isShared(folder)
    yield* UserLease.join(folder)
    return yield* Postmaster.ensure(folder, settings, shared)
  })
  const login = yield* UserLease.alone(folder, join)
  yield* Effect.forkScoped(keepRunning(folder, settings, login))
  const { database, username } = Cluster
  const { password, port } = login
  const url = Redacted.make(`postgres://${username}:${Redacted.value(password)}@${host}:${port}/${database}`)
  return { host, port, username, password, database, url }
})

/** `acquire` for as long as the layer is in use. */
export const layer = (options: EmbeddedPostgresOptions) => Layer.effect(EmbeddedPostgres, acquire(options))
