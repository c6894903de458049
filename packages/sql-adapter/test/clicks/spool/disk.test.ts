import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { open } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import {
  append,
  spooledClick,
  spooledClicks,
  status,
  takeOut,
  waitingClicks
} from "../../../../core/test/contract/clicks/spooledClicks.ts"
import * as SpoolLog from "../../../src/clicks/SpoolLog.ts"
import { canHaveSmallDisk, smallDisk } from "./smallDisk.ts"
import { temporaryFolder } from "./temporaryFolder.ts"

const megabyte = 1024 ** 2

const onDisk = (directory: string): number =>
  readdirSync(directory).reduce((bytes, name) => bytes + statSync(join(directory, name)).size, 0)

const reasonOf = (clicks: Parameters<typeof append>[0]) =>
  Effect.map(Effect.flip(append(clicks)), ({ reason }) => reason)

const lossy = (bytes: number) => {
  const { event } = spooledClick()
  const original = new Uint8Array(bytes).fill(65)
  return { event, quarantined: { click_id: event.id, received_at: event.received_at, reason: "x", original } }
}

/** Appends batches until the spool rejects one. Returns the accepted clicks and the reason. */
const fill = (batch: () => Parameters<typeof append>[0], afterEach = Effect.void) =>
  Effect.gen(function* () {
    const ids: Array<string> = []
    while (true) {
      const clicks = batch()
      const refused = yield* append(clicks).pipe(Effect.as(undefined), Effect.catch(Effect.succeed))
      if (refused !== undefined) return { ids, reason: refused.reason }
      ids.push(...idsOf(clicks))
      yield* afterEach
    }
  })

const idsOf = (clicks: Parameters<typeof append>[0]) => clicks.map(({ event }) => event.id)

const waitingIds = Effect.map(waitingClicks, idsOf)

describe("the space of a spool", () => {
  it.live("never exceeds its limit, and is mostly usable", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      const maxBytes = 3 * megabyte
      let most = 0
      const measure = Effect.sync(() => {
        most = Math.max(most, onDisk(directory))
      })
      yield* Effect.gen(function* () {
        for (const size of [0, 700, 2100, 5000, 60_000]) {
          const batch = () => Array.from({ length: 20 }, () => (size === 0 ? spooledClick() : lossy(size)))
          const { reason } = yield* fill(batch, measure)
          assert.strictEqual(reason, "Full")
          assert.isAbove(onDisk(directory), maxBytes / 2)
          const { bytes, max_bytes } = yield* status
          assert.deepStrictEqual({ bytes, max_bytes }, { bytes: onDisk(directory), max_bytes: maxBytes })
          yield* takeOut(6)
          yield* measure
        }
      }).pipe(Effect.provide(SpoolLog.layer({ directory, maxBytes })))
      assert.isAtMost(most, maxBytes)
    })
  )

  it.live("is released when everything is drained", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      yield* Effect.gen(function* () {
        for (let n = 0; n < 20; n++) yield* append(Array.from({ length: 20 }, () => lossy(60_000)))
        assert.isAbove(onDisk(directory), 20 * megabyte)
        yield* takeOut()
        assert.strictEqual(onDisk(directory), 0)
        const late = spooledClicks(3)
        yield* append(late)
        assert.deepStrictEqual(
          yield* waitingIds,
          late.map(({ event }) => event.id)
        )
      }).pipe(Effect.provide(SpoolLog.layer({ directory, maxBytes: 100 * megabyte })))
    })
  )
})

describe("a spool that is drained continuously", () => {
  it.live("keeps the clicks that are appended meanwhile", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      yield* Effect.gen(function* () {
        const drained: Array<string> = []
        const drain = Effect.map(takeOut(), (clicks) => drained.push(...idsOf(clicks)))
        const draining = yield* Effect.forkChild(Effect.forever(drain))
        const appended: Array<string> = []
        for (let round = 0; round < 100; round++) {
          const clicks = spooledClicks(3)
          yield* append(clicks)
          appended.push(...idsOf(clicks))
        }
        yield* Fiber.interrupt(draining)
        yield* drain
        assert.deepStrictEqual(new Set(drained), new Set(appended))
      }).pipe(Effect.provide(SpoolLog.layer({ directory, maxBytes: megabyte })))
    })
  )
})

describe("a spool that cannot be written", () => {
  it.live("is unavailable until its path is free", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      writeFileSync(directory, "in the way")
      yield* Effect.gen(function* () {
        assert.strictEqual(yield* reasonOf(spooledClicks(1)), "Unavailable")
        assert.strictEqual((yield* Effect.flip(status)).reason, "Unavailable")
        rmSync(directory)
        const clicks = spooledClicks(5)
        yield* append(clicks)
        assert.deepStrictEqual(
          yield* waitingIds,
          clicks.map(({ event }) => event.id)
        )
      }).pipe(Effect.provide(SpoolLog.layer({ directory, maxBytes: megabyte })))
    })
  )

  it.live("continues in a new folder after its folder was deleted", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      yield* Effect.gen(function* () {
        yield* append(spooledClicks(5))
        rmSync(directory, { recursive: true })
        const late = spooledClicks(5)
        yield* append(late)
        assert.deepStrictEqual(
          yield* waitingIds,
          late.map(({ event }) => event.id)
        )
      }).pipe(Effect.provide(SpoolLog.layer({ directory, maxBytes: megabyte })))
    })
  )

  it.live.skipIf(process.getuid?.() === 0)("is unavailable while its folder is not writable", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      mkdirSync(directory)
      chmodSync(directory, 0o500)
      yield* Effect.gen(function* () {
        assert.strictEqual(yield* reasonOf(spooledClicks(1)), "Unavailable")
        chmodSync(directory, 0o700)
        yield* append(spooledClicks(1))
      }).pipe(Effect.provide(SpoolLog.layer({ directory, maxBytes: megabyte })))
    })
  )
})

/** Makes the next sync of a file fail, like a disk that loses data. */
const failNextSync = Effect.promise(async () => {
  const handle = await open(tmpdir())
  const prototype = Object.getPrototypeOf(handle)
  await handle.close()
  const { datasync } = prototype
  prototype.datasync = () => {
    prototype.datasync = datasync
    return Promise.reject(Object.assign(new Error("EIO"), { code: "EIO" }))
  }
})

describe("a sync that fails", () => {
  it.live.each([0, 3])("acknowledges nothing and leaves nothing behind (after %i clicks)", (before) =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      const spool = SpoolLog.layer({ directory, maxBytes: megabyte })
      const [early, failed, late] = [spooledClicks(before), spooledClicks(4), spooledClicks(5)]
      yield* Effect.gen(function* () {
        yield* append(early)
        yield* failNextSync
        assert.strictEqual(yield* reasonOf(failed), "Unavailable")
        yield* append(late)
        assert.strictEqual((yield* status).depth, before + 5)
      }).pipe(Effect.provide(spool, { local: true }))
      assert.deepStrictEqual(
        yield* Effect.provide(Effect.map(takeOut(), idsOf), spool, { local: true }),
        idsOf([...early, ...late])
      )
      assert.deepStrictEqual(readdirSync(directory), [])
    })
  )
})

const hasSmallDisk = canHaveSmallDisk()
if (!hasSmallDisk)
  console.log("Not tested: a full and a read-only disk. That needs root on Linux, to mount a tmpfs")

describe.skipIf(!hasSmallDisk)("a dedicated disk", () => {
  it.live("makes the spool unavailable while it is full; nothing acknowledged is lost", () =>
    Effect.gen(function* () {
      const { path } = yield* smallDisk(4 * megabyte)
      const ballast = join(path, "ballast")
      writeFileSync(ballast, new Uint8Array(2 * megabyte))
      yield* Effect.gen(function* () {
        const { ids, reason } = yield* fill(() => spooledClicks(50))
        assert.strictEqual(reason, "Unavailable")
        assert.isAbove(ids.length, 500)
        assert.strictEqual(yield* reasonOf(spooledClicks(500)), "Unavailable")
        assert.deepInclude(yield* status, { depth: ids.length, disk_full: true })
        assert.deepStrictEqual(yield* waitingIds, ids)

        rmSync(ballast)
        const late = spooledClicks(50)
        yield* append(late)
        assert.deepStrictEqual(yield* waitingIds, [...ids, ...late.map(({ event }) => event.id)])
        yield* takeOut()
        assert.deepInclude(yield* status, { depth: 0, set_aside: 0, disk_full: false })
      }).pipe(Effect.provide(SpoolLog.layer({ directory: join(path, "spool"), maxBytes: 1024 * megabyte })))
    })
  )

  it.live("filled by the spool can be drained completely, and then accepts clicks again", () =>
    Effect.gen(function* () {
      const { path } = yield* smallDisk(16 * megabyte)
      yield* Effect.gen(function* () {
        for (const size of [6000, 0, 100_000]) {
          const { ids, reason } = yield* fill(() =>
            Array.from({ length: 20 }, () => (size === 0 ? spooledClick() : lossy(size)))
          )
          assert.strictEqual(reason, "Unavailable")
          assert.isAbove(ids.length, 0)
          assert.deepStrictEqual(idsOf(yield* takeOut()), ids)
        }
      }).pipe(Effect.provide(SpoolLog.layer({ directory: join(path, "spool"), maxBytes: 1024 * megabyte })))
    })
  )

  it.live("makes the spool unavailable while it is read-only; nothing acknowledged is lost", () =>
    Effect.gen(function* () {
      const disk = yield* smallDisk(8 * megabyte)
      const directory = join(disk.path, "spool")
      const clicks = spooledClicks(50)
      const options = { directory, maxBytes: 1024 * megabyte }
      yield* append(clicks).pipe(Effect.provide(SpoolLog.layer(options), { local: true }))
      yield* disk.makeReadOnly
      yield* Effect.gen(function* () {
        assert.strictEqual(yield* reasonOf(spooledClicks(1)), "Unavailable")
        yield* disk.makeWritable
        const late = spooledClicks(50)
        yield* append(late)
        assert.deepStrictEqual(
          yield* waitingIds,
          [...clicks, ...late].map(({ event }) => event.id)
        )
        assert.strictEqual((yield* status).set_aside, 0)
      }).pipe(Effect.provide(SpoolLog.layer(options)))
      assert.strictEqual(dirname(directory), disk.path)
    })
  )
})
