import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  append,
  peek,
  remove,
  spooledClick,
  spooledClicks,
  status
} from "../../../../core/test/contract/spooledClicks.ts"
import * as SpoolSqlite from "../../../src/clicks/SpoolSqlite.ts"
import { canHaveSmallDisk, smallDisk } from "./smallDisk.ts"
import { temporaryFolder } from "./temporaryFolder.ts"

const megabyte = 1024 ** 2

const onDisk = (directory: string): number =>
  readdirSync(directory)
    .filter((name) => /^spool\.(sqlite(-wal)?|reserve)$/.test(name))
    .reduce((bytes, name) => bytes + statSync(join(directory, name)).size, 0)

const reasonOf = (clicks: Parameters<typeof append>[0]) =>
  Effect.map(Effect.flip(append(clicks)), ({ reason }) => reason)

const lossy = (bytes: number) => {
  const { event } = spooledClick()
  const original = new Uint8Array(bytes).fill(65)
  return { event, quarantined: { click_id: event.id, received_at: event.received_at, reason: "x", original } }
}

/** Appends batches until the spool refuses one; tells what it took and why it refused. */
const fill = (batch: () => Parameters<typeof append>[0], afterEach = Effect.void) =>
  Effect.gen(function* () {
    const ids: Array<string> = []
    while (true) {
      const clicks = batch()
      const refused = yield* append(clicks).pipe(Effect.as(undefined), Effect.catch(Effect.succeed))
      if (refused !== undefined) return { ids, reason: refused.reason }
      ids.push(...clicks.map(({ event }) => event.id))
      yield* afterEach
    }
  })

const waitingIds = Effect.map(peek(1_000_000), (entries) => entries.map(({ event }) => event.id))

describe("the space of a spool", () => {
  it.live("is never more than it may be, whatever comes in and goes out, and is used well", () =>
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
          const { bytes, depth, max_bytes } = yield* status
          assert.deepStrictEqual({ bytes, max_bytes }, { bytes: onDisk(directory), max_bytes: maxBytes })
          yield* remove((yield* peek(Math.ceil(depth * 0.7))).map(({ position }) => position))
          yield* measure
        }
      }).pipe(Effect.provide(SpoolSqlite.layer({ directory, maxBytes })))
      assert.isAtMost(most, maxBytes)
    })
  )

  it.live("is given back when all that waited is drained", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      yield* Effect.gen(function* () {
        for (let n = 0; n < 20; n++) yield* append(Array.from({ length: 20 }, () => lossy(60_000)))
        assert.isAbove(onDisk(directory), 20 * megabyte)
        yield* remove((yield* peek(1000)).map(({ position }) => position))
        // The reserve stays.
        assert.isBelow(onDisk(directory), 9 * megabyte)
        const late = spooledClicks(3)
        yield* append(late)
        assert.deepStrictEqual(
          yield* waitingIds,
          late.map(({ event }) => event.id)
        )
      }).pipe(Effect.provide(SpoolSqlite.layer({ directory, maxBytes: 100 * megabyte })))
    })
  )
})

describe("a disk that refuses", () => {
  it.live("makes the spool unavailable until it does no more", () =>
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
      }).pipe(Effect.provide(SpoolSqlite.layer({ directory, maxBytes: megabyte })))
    })
  )

  it.live("also when somebody deletes the folder", () =>
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
      }).pipe(Effect.provide(SpoolSqlite.layer({ directory, maxBytes: megabyte })))
    })
  )

  it.live.skipIf(process.getuid?.() === 0)("because the folder may not be written", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      mkdirSync(directory)
      chmodSync(directory, 0o500)
      yield* Effect.gen(function* () {
        assert.strictEqual(yield* reasonOf(spooledClicks(1)), "Unavailable")
        chmodSync(directory, 0o700)
        yield* append(spooledClicks(1))
      }).pipe(Effect.provide(SpoolSqlite.layer({ directory, maxBytes: megabyte })))
    })
  )
})

const hasSmallDisk = canHaveSmallDisk()
if (!hasSmallDisk)
  console.log("Not tested: a full and a read-only disk. That needs root on Linux, to mount a tmpfs")

describe.skipIf(!hasSmallDisk)("a disk of its own", () => {
  it.live("that is full makes the spool unavailable until there is room; nothing promised is lost", () =>
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
        yield* remove((yield* peek(1_000_000)).map(({ position }) => position))
        assert.deepInclude(yield* status, { depth: 0, set_aside: 0, disk_full: false })
      }).pipe(
        Effect.provide(SpoolSqlite.layer({ directory: join(path, "spool"), maxBytes: 1024 * megabyte }))
      )
    })
  )

  it.live("that the spool itself has filled is emptied all the same, and takes clicks again", () =>
    Effect.gen(function* () {
      const { path } = yield* smallDisk(16 * megabyte)
      const drainAll = Effect.gen(function* () {
        const drained: Array<string> = []
        for (let entries = yield* peek(500); entries.length > 0; entries = yield* peek(500)) {
          yield* remove(entries.map(({ position }) => position))
          drained.push(...entries.map(({ event }) => event.id))
        }
        return drained
      })
      yield* Effect.gen(function* () {
        for (const size of [6000, 0, 100_000]) {
          const { ids, reason } = yield* fill(() =>
            Array.from({ length: 20 }, () => (size === 0 ? spooledClick() : lossy(size)))
          )
          assert.strictEqual(reason, "Unavailable")
          assert.isAbove(ids.length, 0)
          assert.deepStrictEqual(yield* drainAll, ids)
        }
      }).pipe(
        Effect.provide(SpoolSqlite.layer({ directory: join(path, "spool"), maxBytes: 1024 * megabyte }))
      )
    })
  )

  it.live(
    "that turns read-only makes the spool unavailable until it is writable; nothing promised is lost",
    () =>
      Effect.gen(function* () {
        const disk = yield* smallDisk(8 * megabyte)
        const directory = join(disk.path, "spool")
        const clicks = spooledClicks(50)
        const options = { directory, maxBytes: 1024 * megabyte }
        yield* append(clicks).pipe(Effect.provide(SpoolSqlite.layer(options), { local: true }))
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
        }).pipe(Effect.provide(SpoolSqlite.layer(options)))
        assert.strictEqual(dirname(directory), disk.path)
      })
  )
})
