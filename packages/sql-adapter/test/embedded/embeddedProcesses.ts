import { type ChildProcess, spawn } from "node:child_process"
import { chmodSync, mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { PgConnection } from "@effect/sql-pg"
import { Context, Effect, Layer, Redacted, Schedule } from "effect"
import * as EmbeddedPostgres from "../../src/embedded/EmbeddedPostgres.ts"
import { discard, pidFile } from "./discard.ts"

export const quick = { fsync: "off" }

/** An empty data folder in the temporary folder. At the end, whatever still runs in it is stopped. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = mkdtempSync(join(tmpdir(), "clicks-embedded-"))
    chmodSync(folder, 0o711)
    return folder
  }),
  discard
)

/** A folder with a database that the tests of a file share. Each must leave it usable: creating one takes a second. */
export class MadeFolder extends Context.Service<MadeFolder, string>()("test/embedded/MadeFolder") {
  static readonly layer = Layer.effect(
    this,
    Effect.tap(temporaryFolder, (dataDir) =>
      Effect.scoped(EmbeddedPostgres.acquire({ dataDir, settings: quick }))
    )
  )
}

const exit = (child: ChildProcess): Effect.Effect<number | null> =>
  Effect.callback((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.succeed(child.exitCode))
    child.once("exit", (code) => resume(Effect.succeed(code)))
  })

const kill = (child: ChildProcess) =>
  Effect.suspend(() => {
    child.kill("SIGKILL")
    return exit(child)
  })

/** Starts `holder.ts`; `said` is the line that it writes. */
export const spawnHolder = (dataDir: string) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [fileURLToPath(new URL("./holder.ts", import.meta.url)), dataDir], {
        stdio: ["pipe", "pipe", "inherit"]
      })
    ),
    kill
  ).pipe(
    Effect.map((child) => ({
      said: Effect.callback<string>((resume) => {
        createInterface(child.stdout).once("line", (line) => resume(Effect.succeed(line)))
      }),
      leave: Effect.suspend(() => {
        child.stdin.end()
        return exit(child)
      }),
      kill: kill(child)
    }))
  )

/** A holder that is already using the database. */
export const holder = Effect.fnUntraced(function* (dataDir: string) {
  const { said, leave, kill } = yield* spawnHolder(dataDir)
  return { url: Redacted.make(yield* said), leave, kill }
})

export const query = (url: Redacted.Redacted, statement: string) =>
  PgConnection.make({ url }).pipe(
    Effect.flatMap((connection) => connection.queryValues(statement)),
    Effect.scoped
  )

export const postmasterPid = (dataDir: string) =>
  Number(readFileSync(pidFile(dataDir), "utf8").split("\n")[0])

/** Waits until the condition is true; the time limit of the test ends a futile wait. */
export const until = (condition: () => boolean) =>
  Effect.sync(condition).pipe(
    Effect.repeat({ until: (holds) => holds, schedule: Schedule.spaced("5 millis") }),
    Effect.asVoid
  )
