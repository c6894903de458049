import { spawn } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Exit, Fiber, Schedule, Scope } from "effect"
import { SqlClient } from "effect/sql"
import * as EmbeddedPostgres from "../../src/embedded/EmbeddedPostgres.ts"
import * as FileLock from "../../src/FileLock.ts"
import { pidFile } from "./discard.ts"
import {
  holder,
  MadeFolder,
  postmasterPid,
  query,
  quick,
  spawnHolder,
  temporaryFolder,
  until
} from "./embeddedProcesses.ts"
import { isAlive } from "./isAlive.ts"

const acquire = (dataDir: string) => EmbeddedPostgres.acquire({ dataDir, settings: quick })

/** The pid of another process of that user. */
const sleeper = (uid: number) =>
  Effect.acquireRelease(
    Effect.sync(() => spawn("sleep", ["1000"], { uid, cwd: "/", stdio: "ignore" })),
    (child) => Effect.sync(() => child.kill())
  ).pipe(Effect.map((child) => child.pid))

layer(MadeFolder.layer, { excludeTestServices: true })("EmbeddedPostgres, after a kill", (it) => {
  it.effect("is reused, and then stopped, by the next process after its user was killed", () =>
    Effect.gen(function* () {
      const dataDir = yield* MadeFolder
      const killed = yield* holder(dataDir)
      yield* query(killed.url, "create table kept as select 42 as answer")
      const pid = postmasterPid(dataDir)
      yield* killed.kill

      const next = yield* holder(dataDir)
      assert.strictEqual(postmasterPid(dataDir), pid)
      assert.deepStrictEqual(yield* query(next.url, "select answer from kept"), [[42]])
      yield* next.leave
      yield* until(() => !isAlive(pid))
    })
  )

  it.effect(
    "restarts at the same address when the server is killed while in use, and a pool reconnects",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* MadeFolder
        const { url, port } = yield* acquire(dataDir)
        const work = Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`create table kept_by_pool as select 42 as answer`
          const [server] = yield* sql<{ started: string }>`select pg_postmaster_start_time()::text as started`
          const pid = postmasterPid(dataDir)
          process.kill(pid, "SIGKILL")

          yield* until(() => !isAlive(pid))

          // A session of the killed server may still respond for a moment.
          const again = sql`select answer, current_setting('port')::int as port from kept_by_pool
          where pg_postmaster_start_time()::text <> ${server?.started}`.pipe(
            Effect.filterOrFail((rows) => rows.length > 0),
            Effect.retry(Schedule.spaced("5 millis"))
          )
          assert.deepStrictEqual(yield* again, [{ answer: 42, port }])
        })
        yield* Effect.provide(work, PgClient.layer({ url }))
      })
  )

  it.effect("is restarted by one of two users, and stays up for the second when the first leaves", () =>
    Effect.gen(function* () {
      const dataDir = yield* MadeFolder
      const first = yield* holder(dataDir)
      const second = yield* holder(dataDir)
      process.kill(postmasterPid(dataDir), "SIGKILL")
      yield* query(first.url, "select 1").pipe(Effect.retry(Schedule.spaced("5 millis")))
      yield* first.leave
      assert.deepStrictEqual(yield* query(second.url, "select 1"), [[1]])
    })
  )

  it.effect("keeps the server that a user restarts while leaving if there is another user", () =>
    Effect.gen(function* () {
      const dataDir = yield* MadeFolder
      const leaving = Effect.gen(function* () {
        yield* FileLock.shared(join(dataDir, "postgres-users.lock"))
        const scope = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
        const { url } = yield* Scope.provide(acquire(dataDir), scope)
        const killed = postmasterPid(dataDir)
        process.kill(killed, "SIGKILL")
        // PostgreSQL removes the file of a killed server before it writes its own.
        const serverPid = () => (existsSync(pidFile(dataDir)) ? postmasterPid(dataDir) : killed)
        yield* until(() => serverPid() !== killed && isAlive(serverPid()))
        const restarted = serverPid()
        yield* Scope.close(scope, Exit.void)
        yield* query(url, "select 1").pipe(
          Effect.retry({ schedule: Schedule.spaced("5 millis"), times: 1000 })
        )
        assert.strictEqual(postmasterPid(dataDir), restarted)
      })
      yield* Effect.scoped(leaving)
      yield* Effect.scoped(acquire(dataDir))
    })
  )

  it.effect("starts even if the pid in a stale pid file belongs to another process", () =>
    Effect.gen(function* () {
      const dataDir = yield* MadeFolder
      const killed = yield* holder(dataDir)
      const pid = postmasterPid(dataDir)
      yield* killed.kill
      process.kill(pid, "SIGKILL")
      yield* until(() => !isAlive(pid))
      const stranger = yield* sleeper(statSync(join(dataDir, "postgres")).uid)
      const left = readFileSync(pidFile(dataDir), "utf8")
      writeFileSync(pidFile(dataDir), left.replace(`${pid}`, `${stranger}`))

      const { url } = yield* acquire(dataDir)
      assert.deepStrictEqual(yield* query(url, "select 1"), [[1]])
    })
  )

  it.effect("starts even if a crash of the machine left an empty pid file", () =>
    Effect.gen(function* () {
      const dataDir = yield* MadeFolder
      writeFileSync(pidFile(dataDir), "")
      utimesSync(pidFile(dataDir), 0, 0)
      const { url } = yield* acquire(dataDir)
      assert.deepStrictEqual(yield* query(url, "select 1"), [[1]])
    })
  )

  it.effect("waits while an empty pid file is so new that a server may still be writing it", () =>
    Effect.gen(function* () {
      const dataDir = yield* MadeFolder
      writeFileSync(pidFile(dataDir), "")
      const threeSecondsAgo = Date.now() / 1000 - 3
      utimesSync(pidFile(dataDir), threeSecondsAgo, threeSecondsAgo)
      const { url } = yield* acquire(dataDir)
      assert.deepStrictEqual(yield* query(url, "select 1"), [[1]])
    })
  )

  it.effect("starts on a copy of a running database without touching the original", () =>
    Effect.gen(function* () {
      const original = yield* MadeFolder
      const copy = yield* temporaryFolder
      yield* acquire(original)
      const pid = postmasterPid(original)
      cpSync(original, copy, { recursive: true })
      const { port, url } = yield* acquire(copy)
      assert.deepStrictEqual(yield* query(url, "select 1"), [[1]])
      assert.strictEqual(readFileSync(pidFile(copy), "utf8").split("\n")[3], String(port))
      assert.strictEqual(postmasterPid(original), pid)
    })
  )
})

describe("EmbeddedPostgres, when its start is interrupted", () => {
  it.live("leaves no server running, and does not wait until the server is ready", () =>
    Effect.gen(function* () {
      const dataDir = yield* temporaryFolder
      yield* Effect.scoped(acquire(dataDir))
      // Like after a crash, the server recovers before it is ready.
      const cluster = dirname(pidFile(dataDir))
      writeFileSync(join(cluster, "recovery.signal"), "")
      const settings = { ...quick, restore_command: "sleep 100; touch recovered" }
      const starting = yield* Effect.forkChild(Effect.scoped(EmbeddedPostgres.acquire({ dataDir, settings })))
      yield* until(() => existsSync(pidFile(dataDir)))
      const pid = postmasterPid(dataDir)
      yield* Fiber.interrupt(starting)
      yield* until(() => !existsSync(pidFile(dataDir)) && !isAlive(pid))
      assert.isFalse(existsSync(join(cluster, "recovered")))
    })
  )
})

describe("EmbeddedPostgres, after its first start was killed", () => {
  it.live("creates the database when the first start was killed", () =>
    Effect.gen(function* () {
      const dataDir = yield* temporaryFolder
      const killed = yield* spawnHolder(dataDir)
      yield* until(() => readdirSync(dataDir).some((name) => name.startsWith("postgres-new-")))
      yield* killed.kill
      mkdirSync(join(dataDir, "postgres-new-older", "base"), { recursive: true })

      const { url } = yield* acquire(dataDir)
      assert.deepStrictEqual(yield* query(url, "select 1"), [[1]])
      assert.isFalse(readdirSync(dataDir).includes("postgres-new-older"))
    })
  )
})
