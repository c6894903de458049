import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { assert, describe, it, layer } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as DataFolder from "../../src/embedded/DataFolder.ts"
import * as EmbeddedPostgres from "../../src/embedded/EmbeddedPostgres.ts"
import type { EmbeddedPostgresError } from "../../src/embedded/EmbeddedPostgresError.ts"
import * as Server from "../../src/embedded/Server.ts"
import { canHaveSmallDisk, smallDisk } from "../clicks/spool/smallDisk.ts"
import { MadeFolder, query, quick, temporaryFolder } from "./embeddedProcesses.ts"

const acquire = (dataDir: string) => EmbeddedPostgres.acquire({ dataDir, settings: quick })

const refusal = (dataDir: string) => Effect.scoped(Effect.flip(acquire(dataDir)))

const assertRefusal = (error: EmbeddedPostgresError, words: RegExp) => {
  assert.match(error.message, words)
  assert.notInclude(error.message, "\n")
}

const listenOn = (port: number) =>
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer()
      server.listen(port, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => server.close())
  )

/** Replaces the file's content until the scope closes. */
const replaced = (file: string, content: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const before = readFileSync(file)
      writeFileSync(file, content)
      return before
    }),
    (before) => Effect.sync(() => writeFileSync(file, before))
  )

describe("EmbeddedPostgres, when it cannot start", () => {
  it.live("rejects a data folder that is a file", () =>
    Effect.gen(function* () {
      const file = join(yield* temporaryFolder, "data")
      writeFileSync(file, "")
      assertRefusal(yield* refusal(file), /^The data folder .*\/data is a file\. Move it/)
      assertRefusal(yield* refusal(join(file, "below")), /^The data folder .* is a file/)
    })
  )

  it.live.skipIf(!existsSync("/proc/self"))("rejects a path where no folder can be created", () =>
    Effect.gen(function* () {
      assertRefusal(yield* refusal("/proc/clicks/data"), /^Cannot use the data folder/)
    })
  )

  it.live("rejects a folder that is not writable", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const mode = (bits: number) => Effect.sync(() => chmodSync(folder, bits))
      yield* Effect.acquireRelease(mode(0o500), () => mode(0o700))
      // Root can write everywhere except in the kernel's folders.
      const closed = process.getuid?.() === 0 ? "/sys" : folder
      assertRefusal(yield* refusal(join(closed, "data")), /not writable|read-only file system/)
    })
  )

  it.live.skipIf(!canHaveSmallDisk())("reports a full disk and removes what it wrote", () =>
    Effect.gen(function* () {
      const folder = join((yield* smallDisk(30 * 1024 ** 2)).path, "data")
      assertRefusal(yield* refusal(folder), /^The disk of .* is full\. Free disk space/)
      assert.deepStrictEqual(
        readdirSync(folder).filter((name) => name.startsWith("postgres-new")),
        []
      )
    })
  )

  it.live("names the platform if PostgreSQL is not installed for it", () =>
    Effect.gen(function* () {
      const architecture = process.arch
      const pretend = (arch: string) =>
        Effect.sync(() => Object.defineProperty(process, "arch", { value: arch }))
      yield* Effect.acquireRelease(pretend("mips"), () => pretend(architecture))
      assertRefusal(yield* refusal(yield* temporaryFolder), /^PostgreSQL for .*-mips is not installed/)
    })
  )

  it.live("gives up two minutes after it began to wait, even if the start takes most of that time", () =>
    Effect.gen(function* () {
      // In its own folder: the last attempt may still start the server when the port is free again.
      const dataDir = yield* temporaryFolder
      const { port } = yield* Effect.scoped(acquire(dataDir))
      yield* listenOn(port)
      const clock = yield* TestClock.make()
      const folder = yield* DataFolder.open(dataDir)
      const refused = yield* Effect.forkChild(
        Effect.flip(Server.ensure(folder, quick, true)).pipe(Effect.provideService(Clock.Clock, clock)),
        { startImmediately: true }
      )
      // Most of the two minutes pass during the first attempt. Then the clock follows real time, which ending that attempt takes.
      yield* clock.adjust("100 seconds")
      for (let step = 0; step < 80; step++) yield* clock.adjust("250 millis")
      yield* Effect.andThen(
        clock.adjust("5 millis"),
        Effect.promise(() => pause(5))
      ).pipe(Effect.repeat({ until: () => refused.pollUnsafe() !== undefined }))
      assertRefusal(yield* Fiber.join(refused), /has not responded for 120 seconds\. See /)
      // It would be 220 seconds if the later attempts had two minutes of their own.
      assert.isBelow(clock.currentTimeMillisUnsafe(), 200_000)
    })
  )
})

layer(MadeFolder.layer, { excludeTestServices: true })("EmbeddedPostgres, with a database", (it) => {
  it.effect("moves to another port if its own is in use, and keeps the new one", () =>
    Effect.gen(function* () {
      const dataDir = yield* MadeFolder
      const before = yield* Effect.scoped(acquire(dataDir))
      yield* listenOn(before.port)
      const { port, url } = yield* Effect.scoped(
        Effect.tap(acquire(dataDir), ({ url }) => query(url, "select 1"))
      )
      assert.notStrictEqual(port, before.port)
      assert.deepStrictEqual((yield* acquire(dataDir)).url, url)
    })
  )

  it.effect("names both versions if another version of PostgreSQL created the data", () =>
    Effect.gen(function* () {
      const dataDir = yield* MadeFolder
      yield* replaced(join(dataDir, "postgres", "PG_VERSION"), "17\n")
      assertRefusal(yield* refusal(dataDir), /created by PostgreSQL 17, but this is PostgreSQL 18\./)
    })
  )

  it.effect("names the password file if it is missing or wrong", () =>
    Effect.gen(function* () {
      const dataDir = yield* MadeFolder
      const file = join(dataDir, "postgres-password")
      yield* replaced(file, "wrong")
      assertRefusal(yield* refusal(dataDir), /^The password in .*postgres-password is not/)
      rmSync(file)
      assertRefusal(yield* refusal(dataDir), /^The password file .*postgres-password cannot be read/)
    })
  )

  it.effect("quotes PostgreSQL and names the log for any other failure", () =>
    Effect.gen(function* () {
      const dataDir = yield* MadeFolder
      yield* replaced(join(dataDir, "postgres", "global", "pg_control"), "")
      assertRefusal(yield* refusal(dataDir), /could not .*global\/pg_control.*See .*postgres\.log/)
    })
  )
})
