import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Database from "@clicks/sql-adapter/Database"
import * as EmbeddedPostgres from "@clicks/sql-adapter/embedded/EmbeddedPostgres"
import { Context, Effect, Layer, References } from "effect"
import { smallDisk } from "../../../sql-adapter/test/clicks/spool/smallDisk.ts"
import { discard } from "../../../sql-adapter/test/embedded/discard.ts"
import { postmasterPid } from "../../../sql-adapter/test/embedded/embeddedProcesses.ts"
import { superuserUrl } from "../../../sql-adapter/test/embedded/superuserUrl.ts"
import { TestDatabase } from "../../../sql-adapter/test/TestDatabase.ts"
import { temporaryFolder, until } from "./Trial.ts"

/** A separate PostgreSQL that can be killed and stopped. Whenever it ends, it is started again at the same address. */
export class OwnServer extends Context.Service<
  OwnServer,
  {
    /** Ends the server with this signal and waits until it runs again. `pg_ctl stop -m immediate` sends SIGQUIT. */
    readonly end: (signal: "SIGQUIT" | "SIGKILL") => Effect.Effect<void>
    /** Sends a signal to all processes of the server. */
    readonly signal: (signal: "SIGSTOP" | "SIGCONT") => Effect.Effect<void>
  }
>()("@clicks/cli/test/faults/OwnServer") {}

const parentOf = (pid: string): number => {
  try {
    return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1])
  } catch {
    return 0
  }
}

const withChildren = (pid: number): ReadonlyArray<number> => [
  pid,
  ...readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number)
]

const signalAll = (pids: ReadonlyArray<number>, signal: NodeJS.Signals) => {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {}
  }
}

const pidOf = (dataDir: string): number => {
  try {
    return postmasterPid(dataDir)
  } catch {
    return 0
  }
}

const make = (dataDir: string) =>
  OwnServer.of({
    end: (signal) =>
      Effect.gen(function* () {
        const before = pidOf(dataDir)
        signalAll([before], signal)
        yield* until(() => ![0, before].includes(pidOf(dataDir)))
      }),
    signal: (signal) => Effect.sync(() => signalAll(withChildren(pidOf(dataDir)), signal))
  })

const inFolder = (dataDir: string, settings: Readonly<Record<string, string>> = {}) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const acquired = yield* EmbeddedPostgres.acquire({ dataDir, settings: { fsync: "off", ...settings } })
      const url = yield* superuserUrl(dataDir, acquired.url)
      return Layer.mergeAll(
        Layer.succeed(OwnServer, make(dataDir)),
        Layer.succeed(TestDatabase, { url }),
        Database.layer({ url })
      )
    })
  ).pipe(Layer.provide(Layer.succeed(References.MinimumLogLevel, "None")))

/**
 * The server. It does not sync its files, which makes no difference here: no fault stops the machine, and data that the server's
 * processes have not written is lost with them.
 */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    yield* Effect.addFinalizer(() => discard(folder))
    return inFolder(folder)
  })
)

/** The separate disk of a server. */
export class ServerDisk extends Context.Service<ServerDisk, { readonly path: string }>()(
  "@clicks/cli/test/faults/ServerDisk"
) {}

// A new cluster takes 60 MB. Its write-ahead log must not take the rest.
const diskBytes = 256 * 1024 ** 2
const smallLog = { max_wal_size: "48MB", min_wal_size: "32MB" }

/** The server on a small disk. */
export const layerOnSmallDisk = Layer.unwrap(
  Effect.gen(function* () {
    const { path } = yield* smallDisk(diskBytes)
    const folder = join(path, "data")
    yield* Effect.addFinalizer(() => discard(folder))
    return Layer.merge(inFolder(folder, smallLog), Layer.succeed(ServerDisk, { path }))
  })
)
