import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { Data, Effect, Schedule } from "effect"
import * as Cluster from "./Cluster.ts"
import * as DataFolder from "./DataFolder.ts"
import { EmbeddedPostgresError, fromFileError } from "./EmbeddedPostgresError.ts"
import * as LoopbackPort from "./LoopbackPort.ts"
import * as PostgresBinaries from "./PostgresBinaries.ts"
import * as PostmasterFile from "./PostmasterFile.ts"
import * as ServerAccount from "./ServerAccount.ts"
import * as ServerLaunch from "./ServerLaunch.ts"
import * as Session from "./Session.ts"

/** Longest wait for the server, in milliseconds: after a crash it first replays up to max_wal_size of its log. */
export const startPatience = 120_000
const stopPatience = 60_000

class NotYet extends Data.TaggedError("NotYet") {}

const lastPort = (folder: DataFolder.DataFolder): number | undefined => {
  try {
    return Number(readFileSync(folder.portFile, "utf8")) || undefined
  } catch {
    return undefined
  }
}

const start = Effect.fnUntraced(function* (
  folder: DataFolder.DataFolder,
  settings: ServerLaunch.Settings,
  keepPort: boolean
) {
  const binaries = yield* PostgresBinaries.find
  const account = yield* ServerAccount.choose(folder, binaries)
  yield* Effect.sync(() => Cluster.removeUnfinished(folder))
  if (!DataFolder.hasCluster(folder)) {
    yield* Cluster.create(folder, binaries, account, settings["fsync"] !== "off")
  }
  const last = lastPort(folder)
  const port = keepPort && last !== undefined ? last : yield* LoopbackPort.choose(last)
  yield* Effect.try({
    try: () => {
      Cluster.own(folder, account.owner)
      if (port !== last) writeFileSync(folder.portFile, String(port))
    },
    catch: fromFileError(folder.path)
  })
  yield* ServerLaunch.launch(folder, { program: binaries.postgres, account }, port, settings)
})

const damaged = (folder: DataFolder.DataFolder) =>
  new EmbeddedPostgresError({
    reason: "Damaged",
    message: `The password in ${folder.passwordFile} is not that of the database beside it; bring the right one back from a backup.`
  })

const step = Effect.fnUntraced(function* (
  folder: DataFolder.DataFolder,
  settings: ServerLaunch.Settings,
  keepPort: boolean
) {
  const postmaster = yield* PostmasterFile.read(folder.cluster)
  if (postmaster === undefined) yield* start(folder, settings, keepPort)
  if (postmaster?.status !== "ready") return yield* new NotYet()
  const login = { port: postmaster.port, password: yield* DataFolder.password(folder) }
  yield* Session.answers(login).pipe(
    Effect.mapError((error) => (error.reason._tag === "AuthenticationError" ? damaged(folder) : new NotYet()))
  )
  return login
})

/**
 * The login of the running server; starts it, and makes its cluster, where there is none. For who holds the start lock.
 * With `keepPort`, for the sake of those who know it, it starts on its last port or, while that is taken, not at all.
 */
export const ensure = Effect.fn("Postmaster.ensure")(function* (
  folder: DataFolder.DataFolder,
  settings: ServerLaunch.Settings,
  keepPort: boolean
) {
  const until = (pause: number): Effect.Effect<Session.Login, EmbeddedPostgresError> =>
    step(folder, settings, keepPort).pipe(
      Effect.catchTag("NotYet", () => Effect.delay(until(Math.min(pause * 1.5, 250)), pause))
    )
  return yield* until(1).pipe(
    Effect.timeoutOrElse({
      duration: startPatience,
      orElse: () =>
        new EmbeddedPostgresError({
          reason: "StartFailed",
          message: `The embedded PostgreSQL has not responded for ${startPatience / 1000} seconds. See ${folder.log}, wait and try again.`
        })
    })
  )
})

/** PostgreSQL's "fast" shutdown: ends its sessions, writes everything, goes. */
const requestStop = (pid: number) =>
  process.platform === "win32"
    ? Effect.map(PostgresBinaries.find, ({ pg_ctl }) => execFileSync(pg_ctl, ["kill", "INT", String(pid)]))
    : Effect.try(() => process.kill(pid, "SIGINT"))

/** Stops the server and returns when its process is gone. For who holds the start lock. */
export const stop = Effect.fn("Postmaster.stop")(function* (folder: DataFolder.DataFolder) {
  const postmaster = yield* PostmasterFile.read(folder.cluster)
  if (postmaster === undefined) return
  // It may have ended meanwhile.
  yield* Effect.ignore(requestStop(postmaster.pid))
  yield* PostmasterFile.read(folder.cluster).pipe(
    Effect.map((left) => left === undefined && !PostmasterFile.isRunning(postmaster)),
    Effect.repeat({ until: (gone) => gone, schedule: Schedule.spaced("5 millis") }),
    Effect.timeoutOrElse({
      duration: stopPatience,
      orElse: () => Effect.logWarning(`The embedded PostgreSQL is still stopping; see ${folder.log}.`)
    })
  )
})
