import { appendFileSync, chownSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { basename } from "node:path"
import { PgConnection } from "@effect/sql-pg"
import { Data, Effect, Fiber, Random, type Redacted, Schedule } from "effect"
import * as Cluster from "./Cluster.ts"
import * as DataFolder from "./DataFolder.ts"
import { fromFileError, fromOutput, unavailable } from "./EmbeddedPostgresError.ts"
import { serverPort } from "./PidFile.ts"
import * as ServerPrograms from "./ServerPrograms.ts"

export const host = "127.0.0.1"

/** The login of the running server. */
export interface Login {
  readonly port: number
  readonly password: Redacted.Redacted
}

/** Server settings by name. They apply as long as the server runs. */
export type Settings = Readonly<Record<string, string>>

/** How long to wait for the server, in milliseconds. After a crash, it first replays up to max_wal_size of WAL. */
export const startTimeout = 120_000

const largestLog = 10 * 1024 * 1024

// Below the range of ports for outgoing connections, which begins at 32768 on Linux and at 49152 elsewhere. An outgoing connection could
// take a port of that range while the server is stopped, and a client that connects to such a port can even connect to itself.
const newPort = Random.nextIntBetween(20_000, 32_768)

const lastPort = (folder: DataFolder.DataFolder): number | undefined => {
  try {
    return Number(readFileSync(folder.portFile, "utf8")) || undefined
  } catch {
    return undefined
  }
}

// The port is in use, another server of the cluster is starting or stopping, or processes of a killed server are still running.
const isTransient = (output: string): boolean =>
  /could not bind IPv4 address|(?:lock|PID) file ".*" (?:already exists|is empty)|invalid data in PID file|pre-existing shared memory block|did not start in time/.test(
    output
  )

/** Quotes a word for the shell through which pg_ctl starts the server. */
const quote = (word: string): string =>
  process.platform === "win32" ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`

/** Prepares the log so that the server's account can append to it. Returns its size. */
const openLog = ({ log }: DataFolder.DataFolder, { owner }: ServerPrograms.ServerPrograms): number => {
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > largestLog) renameSync(log, `${log}.1`)
  appendFileSync(log, "", { mode: 0o600 })
  if (owner !== undefined) chownSync(log, owner.uid, owner.gid)
  return statSync(log).size
}

/** Starts the server. Returns when it is ready, or if it failed to start for a transient reason. */
const start = Effect.fn("Server.start")(function* (
  folder: DataFolder.DataFolder,
  settings: Settings,
  keepPort: boolean
) {
  const programs = yield* ServerPrograms.find(folder)
  yield* Effect.sync(() => Cluster.removeUnfinished(folder))
  if (!DataFolder.hasCluster(folder)) yield* Cluster.create(folder, programs, settings["fsync"] !== "off")
  const port = lastPort(folder) ?? (yield* newPort)
  const logged = yield* Effect.try({
    try: () => {
      Cluster.restoreOwner(folder, programs.owner)
      writeFileSync(folder.portFile, String(port))
      return openLog(folder, programs)
    },
    catch: fromFileError(folder.path)
  })
  // Whatever the cluster's own configuration says, the server listens on loopback only.
  const all = { ...settings, port, listen_addresses: host, unix_socket_directories: "" }
  const options = Object.entries(all).map(([name, value]) => `-c ${quote(`${name}=${value}`)}`)
  const seconds = startTimeout / 1000
  const args = [
    ...["start", "-t", String(seconds), "-l", basename(folder.log), "-p", programs.paths.postgres],
    // Not passed as pg_ctl's own -D, because pg_ctl does not quote that for the shell.
    ...["-o", [`-D ${quote(folder.cluster)}`, ...options].join(" ")]
  ]
  // An interruption waits only for the pid file, not until the server has recovered from a crash. From then on, the last user can stop the
  // server, which ends pg_ctl.
  const isKnown = serverPort(folder.cluster).pipe(
    Effect.repeat({ until: (found) => found !== undefined, schedule: Schedule.spaced("5 millis") })
  )
  yield* Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(Effect.forkDetach(programs.run("pg_ctl", args)), (running) =>
      Effect.onInterrupt(restore(Fiber.join(running)), () => Effect.raceFirst(Fiber.await(running), isKnown))
    )
  ).pipe(
    Effect.catchTag("ProgramFailed", ({ output }) => {
      const words = `${output}\n${readFileSync(folder.log).subarray(logged).toString()}`
      if (!keepPort && words.includes("could not bind")) rmSync(folder.portFile)
      return isTransient(words) ? Effect.void : fromOutput(folder, words)
    })
  )
})

export const connect = ({ password, port }: Login) =>
  PgConnection.make({
    host,
    port,
    username: Cluster.username,
    password,
    database: Cluster.database,
    applicationName: "clicks: embedded database"
  })

class NotReady extends Data.TaggedError("NotReady") {}

const attempt = Effect.fnUntraced(function* (
  folder: DataFolder.DataFolder,
  settings: Settings,
  keepPort: boolean
) {
  const port = yield* serverPort(folder.cluster)
  if (port === undefined) {
    yield* start(folder, settings, keepPort)
    return yield* new NotReady()
  }
  const login = { port, password: yield* DataFolder.password(folder) }
  yield* Effect.scoped(connect(login)).pipe(
    Effect.mapError(({ reason }) =>
      reason._tag === "AuthenticationError"
        ? unavailable(
            `The password in ${folder.passwordFile} is not that of the database beside it. Restore the right one from a backup.`
          )
        : new NotReady()
    )
  )
  return login
})

/**
 * Returns the login of the running server. Starts the server if it is not running, and creates the cluster if there is none. The caller
 * holds the start lock. With `keepPort`, it waits for its last port instead of changing it, because other processes use that port.
 */
export const ensure = Effect.fn("Server.ensure")(function* (
  folder: DataFolder.DataFolder,
  settings: Settings,
  keepPort: boolean
) {
  return yield* attempt(folder, settings, keepPort).pipe(
    Effect.retry({
      while: ({ _tag }) => _tag === "NotReady",
      schedule: Schedule.min([Schedule.exponential("1 millis", 1.5), Schedule.spaced("250 millis")])
    }),
    // Cannot happen: retried forever.
    Effect.catchTag("NotReady", Effect.die),
    // Limits all attempts together: a single start may take two minutes.
    Effect.timeoutOrElse({
      duration: startTimeout,
      orElse: () =>
        unavailable(
          `The embedded PostgreSQL has not responded for ${startTimeout / 1000} seconds. See ${folder.log}, wait and try again.`
        )
    })
  )
})

/** Stops the server, which ends its sessions, and returns when it has stopped. The caller holds the start lock. */
export const stop = Effect.fn("Server.stop")(function* (folder: DataFolder.DataFolder) {
  if ((yield* serverPort(folder.cluster)) === undefined) return
  const { run } = yield* ServerPrograms.find(folder)
  yield* run("pg_ctl", ["stop"]).pipe(
    Effect.catchTag("ProgramFailed", () =>
      Effect.logWarning(`The embedded PostgreSQL is still stopping; see ${folder.log}.`)
    )
  )
})
