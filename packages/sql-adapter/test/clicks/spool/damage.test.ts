import {
  closeSync,
  cpSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync
} from "node:fs"
import { join } from "node:path"
import type { SpooledClick } from "@clicks/core/clicks/Spool"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger, Schedule } from "effect"
import {
  append,
  peek,
  remove,
  spooledClick,
  spooledClicks,
  status
} from "../../../../core/test/contract/spooledClicks.ts"
import * as SpoolSqlite from "../../../src/clicks/SpoolSqlite.ts"
import * as WriteAheadLog from "../../../src/clicks/spool/salvage/WriteAheadLog.ts"
import { temporaryFolder } from "./temporaryFolder.ts"

const pageSize = 4096
const spoolIn = (directory: string) => SpoolSqlite.layer({ directory, maxBytes: 1024 ** 3 })
const fileIn = (directory: string) => join(directory, "spool.sqlite")

const garbage = (length: number) => Uint8Array.from({ length }, () => Math.floor(Math.random() * 256))

const overwrite = (file: string, at: number, bytes: Uint8Array): void => {
  const descriptor = openSync(file, "r+")
  writeSync(descriptor, bytes, 0, bytes.length, at)
  closeSync(descriptor)
}

const ids = (clicks: ReadonlyArray<{ readonly event: { readonly id: string } }>) =>
  clicks.map(({ event }) => event.id)

const waitingIds = Effect.map(peek(1_000_000), ids)

/** Destroys the middle four fifths of the file. */
const destroyMiddle = (file: string): void => {
  const { size } = statSync(file)
  overwrite(file, Math.floor(size / 10), garbage(Math.floor(size * 0.8)))
}

/** What is logged while the effect runs. */
const listening = <A, E, R>(effect: Effect.Effect<A, E, R>) => {
  const lines: Array<string> = []
  const logger = Logger.make(({ message }) => void lines.push(String(message)))
  return Effect.map(effect.pipe(Effect.provide(Logger.layer([logger]))), (result) => ({ result, lines }))
}

/** The reports on what was set aside, when there are as many as are awaited. */
const reports = (directory: string, count: number) =>
  Effect.sync(() =>
    readdirSync(directory)
      .filter((name) => /^spool\.damaged-.*\.json$/.test(name))
      .map((name): unknown => JSON.parse(readFileSync(join(directory, name), "utf8")))
  ).pipe(Effect.repeat({ until: (found) => found.length === count, schedule: Schedule.spaced("5 millis") }))

/** The click with an original that fills several pages. */
const long = (click: SpooledClick): SpooledClick => ({
  ...click,
  quarantined: {
    click_id: click.event.id,
    received_at: click.event.received_at,
    reason: "too long",
    original: garbage(20_000)
  }
})

/** A spool of 3,000 clicks, every hundredth with a long original; the first 500 have been drained. */
const written = Effect.gen(function* () {
  const directory = yield* temporaryFolder
  const clicks = spooledClicks(3000).map((click, index) => (index % 100 === 7 ? long(click) : click))
  yield* Effect.gen(function* () {
    for (let at = 0; at < clicks.length; at += 250) yield* append(clicks.slice(at, at + 250))
    yield* remove((yield* peek(500)).map((entry) => entry.position))
  }).pipe(Effect.provide(spoolIn(directory)))
  return { directory, file: fileIn(directory), clicks: clicks.slice(500) }
})

/** Opens the damaged spool, adds a click, waits for the salvage and tells what is in the line then. */
const reopened = (directory: string) =>
  listening(
    Effect.gen(function* () {
      yield* peek(1_000_000)
      const late = spooledClick()
      yield* append([late])
      const [report] = yield* reports(directory, 1)
      return { late, report, entries: yield* peek(1_000_000), status: yield* status }
    }).pipe(Effect.provide(spoolIn(directory)))
  )

/** Each damage, and how many of the 2,500 clicks may be lost by it at most; null when their number cannot be told. */
const damages: ReadonlyArray<readonly [string, (file: string) => void, atMost: number | null]> = [
  ["a header of garbage", (file) => overwrite(file, 0, garbage(100)), 0],
  ["a first page of garbage", (file) => overwrite(file, 0, garbage(pageSize)), 0],
  ["a root page of zeros", (file) => overwrite(file, pageSize, new Uint8Array(pageSize)), 0],
  [
    "garbage in the middle",
    (file) => overwrite(file, Math.floor(statSync(file).size / 2), garbage(3 * pageSize)),
    40
  ],
  ["one changed letter", (file) => changeLetter(file), 1],
  ["half a file", (file) => truncateSync(file, Math.floor(statSync(file).size / 2)), 2500],
  ["an empty file", (file) => truncateSync(file, 0), null],
  ["somebody else's file", (file) => writeFileSync(file, "Dear diary, ".repeat(1000)), null]
]

/** Changes a letter of a product id where a click of the line has it, which SQLite does not notice. */
const changeLetter = (file: string): void => {
  const bytes = readFileSync(file)
  const at = bytes.lastIndexOf('"product_id":"p-')
  overwrite(file, at + '"product_id":"'.length, Buffer.from("q"))
}

const byId = <A extends { readonly event: { readonly id: string } }>(clicks: ReadonlyArray<A>) =>
  new Map(clicks.map((click) => [click.event.id, click]))

describe("a damaged spool", () => {
  it.live.each(damages)(
    "(%s) is set aside; what can be read waits again, unchanged and in order",
    ([, damage, atMost]) =>
      Effect.gen(function* () {
        const { clicks, directory, file } = yield* written
        damage(file)
        const { lines, result } = yield* reopened(directory)
        const { entries, late, report, status } = result

        const sent = byId([...clicks, late])
        const salvaged = entries.length - 1
        for (const { event, quarantined } of entries) {
          assert.deepStrictEqual({ event, quarantined }, sent.get(event.id))
        }
        assert.lengthOf(new Set(ids(entries)), entries.length)
        assert.deepStrictEqual(
          entries.map((entry) => entry.position),
          entries.map((entry) => entry.position).toSorted((a, b) => a - b)
        )
        assert.strictEqual(entries.at(-1)?.event.id, late.event.id)
        assert.isAtLeast(salvaged, 2500 - (atMost ?? 2500))
        assert.deepInclude(report, { salvaged, suspected_lost: atMost === null ? null : 2500 - salvaged })
        assert.deepInclude(status, { depth: salvaged + 1, set_aside: 1 })
        assert.lengthOf(
          lines.filter(
            (line) => line.includes("is damaged") || line.includes(`: ${salvaged} clicks, which wait again`)
          ),
          2
        )
      })
  )

  it.live("is noticed when it is opened, before anything is read from the damaged part", () =>
    Effect.gen(function* () {
      const { directory, file } = yield* written
      overwrite(file, Math.floor(statSync(file).size / 2), garbage(3 * pageSize))
      const { set_aside } = yield* status.pipe(Effect.provide(spoolIn(directory)))
      assert.strictEqual(set_aside, 1)
    })
  )

  it.live("is noticed also when the damage comes while it is in use", () =>
    Effect.gen(function* () {
      const { clicks, directory, file } = yield* written
      yield* Effect.gen(function* () {
        yield* peek(1)
        destroyMiddle(file)
        const before = yield* peek(1_000_000)
        yield* reports(directory, 1)
        const after = yield* waitingIds
        assert.isAbove(after.length, 100)
        assert.isBelow(after.length, 2000)
        assert.isEmpty(after.filter((id) => !ids(clicks).includes(id)))
        assert.isEmpty(ids(before).filter((id) => !after.includes(id)))
      }).pipe(Effect.provide(spoolIn(directory)))
    })
  )

  it.live("that one process sets aside is left by the others", () =>
    Effect.gen(function* () {
      const { directory, file } = yield* written
      const early = spooledClicks(10)
      const late = spooledClicks(10)
      yield* Effect.gen(function* () {
        yield* append(early)
        destroyMiddle(file)
        yield* Effect.provide(Effect.andThen(peek(1), reports(directory, 1)), spoolIn(directory), {
          local: true
        })
        yield* append(late)
        const found = yield* waitingIds
        assert.deepStrictEqual(found.slice(-20), ids([...early, ...late]))
        assert.deepStrictEqual(yield* Effect.provide(waitingIds, spoolIn(directory), { local: true }), found)
      }).pipe(Effect.provide(spoolIn(directory)))
    })
  )

  it.live(
    "whose move was cut off is salvaged with its log, and brings nothing twice when that is done again",
    () =>
      Effect.gen(function* () {
        const { clicks, directory, file } = yield* written
        const image = `${directory}-image`
        const late = spooledClicks(20)
        yield* Effect.gen(function* () {
          yield* append(late)
          cpSync(directory, image, { recursive: true })
        }).pipe(Effect.provide(spoolIn(directory)))
        renameSync(fileIn(image), join(image, "spool.damaged-20261120T100000.000Z.sqlite"))
        const all = ids([...clicks, ...late])

        yield* Effect.gen(function* () {
          yield* peek(1)
          yield* reports(image, 1)
          assert.deepStrictEqual(yield* waitingIds, all)
        }).pipe(Effect.provide(spoolIn(image), { local: true }))

        rmSync(join(image, "spool.damaged-20261120T100000.000Z.json"))
        yield* Effect.gen(function* () {
          yield* peek(1)
          yield* reports(image, 1)
          assert.deepStrictEqual(yield* waitingIds, all)
          assert.isFalse(existsSync(`${file}-journal`))
        }).pipe(Effect.provide(spoolIn(image), { local: true }))
      })
  )
})

/** A spool as a power cut leaves it: the last clicks are in the log only. */
const cutOff = Effect.gen(function* () {
  const directory = yield* temporaryFolder
  const image = `${directory}-image`
  const batches = Array.from({ length: 10 }, () => spooledClicks(30))
  yield* Effect.gen(function* () {
    for (const batch of batches) yield* append(batch)
    cpSync(directory, image, { recursive: true })
  }).pipe(Effect.provide(spoolIn(directory)))
  rmSync(`${fileIn(image)}-shm`)
  return { directory: image, batches, log: `${fileIn(image)}-wal` }
})

const flipBit = (file: string, at: number): void =>
  overwrite(file, at, Uint8Array.of((readFileSync(file)[at] ?? 0) ^ 1))

/** A spool as a power cut leaves it soon after its log was begun anew: most of what the log has behind is of before. */
const begunAnew = Effect.gen(function* () {
  const directory = yield* temporaryFolder
  const image = `${directory}-image`
  const log = (folder: string) => `${fileIn(folder)}-wal`
  const clicks: Array<SpooledClick> = []
  const appendSome = Effect.suspend(() => {
    const some = spooledClicks(30).map((click, index) => (index % 10 === 0 ? long(click) : click))
    clicks.push(...some)
    return append(some)
  })
  yield* Effect.gen(function* () {
    yield* appendSome
    const first = readFileSync(log(directory)).readUInt32BE(16)
    yield* Effect.repeat(appendSome, { while: () => readFileSync(log(directory)).readUInt32BE(16) === first })
    for (let more = 0; more < 3; more++) yield* appendSome
    cpSync(directory, image, { recursive: true })
  }).pipe(Effect.provide(spoolIn(directory)))
  rmSync(`${fileIn(image)}-shm`)
  return { directory: image, clicks, log: log(image) }
})

/** Writes the checksum of a log's header (sqlite.org/fileformat2.html, "Checksum Algorithm"). */
const sealHeader = (bytes: Buffer): void => {
  let [a, b] = [0, 0]
  const isBigEndian = (bytes.readUInt32BE(0) & 1) === 1
  for (let at = 0; at < 24; at += 8) {
    a = (a + (isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + b) >>> 0
    b = (b + (isBigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + a) >>> 0
  }
  bytes.writeUInt32BE(a, 24)
  bytes.writeUInt32BE(b, 28)
}

describe("the log of a spool", () => {
  it.live.each<readonly [string, (log: string, size: number) => void]>([
    ["ends in the middle of a write", (log, size) => truncateSync(log, size - 1000)],
    ["has a hole in its last write", (log, size) => overwrite(log, size - 8200, new Uint8Array(4000))]
  ])("that %s is no damage: what was promised before is there", ([, tear]) =>
    Effect.gen(function* () {
      const { batches, directory, log } = yield* cutOff
      tear(log, statSync(log).size)
      const program = Effect.all([waitingIds, status]).pipe(Effect.provide(spoolIn(directory)))
      const { lines, result } = yield* listening(program)
      assert.deepStrictEqual(result[0], ids(batches.slice(0, 9).flat()))
      assert.deepInclude(result[1], { depth: 270, set_aside: 0 })
      assert.deepStrictEqual(lines, [])
    })
  )

  it.live("that is damaged in the middle does not take the clicks behind with it", () =>
    Effect.gen(function* () {
      const { batches, directory, log } = yield* cutOff
      overwrite(log, Math.floor(statSync(log).size / 3), garbage(pageSize))
      yield* Effect.gen(function* () {
        yield* peek(1)
        yield* reports(directory, 1)
        const found = yield* waitingIds
        assert.isAtLeast(found.length, 290)
        assert.isEmpty(found.filter((id) => !ids(batches.flat()).includes(id)))
        assert.isEmpty(ids(batches.slice(5).flat()).filter((id) => !found.includes(id)))
      }).pipe(Effect.provide(spoolIn(directory)))
    })
  )

  it.live("that is begun anew, with what it held before behind, is no damage", () =>
    Effect.gen(function* () {
      const { log } = yield* cutOff
      const bytes = readFileSync(log)
      assert.isFalse(WriteAheadLog.read(bytes).isDamaged)
      bytes.writeUInt32BE(bytes.readUInt32BE(16) + 1, 16)
      sealHeader(bytes)
      const { beyond, isDamaged, pages } = WriteAheadLog.read(bytes)
      assert.deepStrictEqual({ beyond, isDamaged, pages }, { beyond: [], isDamaged: false, pages: new Map() })
    })
  )

  it.live.each<readonly [string, (log: string) => void, atMost: number]>([
    ["one bit of its header", (log) => flipBit(log, 28), 0],
    ["the salt in its header", (log) => flipBit(log, 16), 0],
    ["one bit of its first page", (log) => flipBit(log, 100), 0],
    ["its first 4 KiB", (log) => overwrite(log, 0, new Uint8Array(pageSize)), 40]
  ])(
    "that has begun anew and then loses %s gives back all other clicks, and tells how many are lost",
    ([, damage, atMost]) =>
      Effect.gen(function* () {
        const { clicks, directory, log } = yield* begunAnew
        damage(log)
        yield* Effect.gen(function* () {
          yield* peek(1)
          const [report] = yield* reports(directory, 1)
          const found = new Set(yield* waitingIds)
          const lost = ids(clicks).filter((id) => !found.has(id)).length
          assert.isAtMost(lost, atMost)
          assert.include(report, { salvaged: clicks.length - lost, suspected_lost: lost })
        }).pipe(Effect.provide(spoolIn(directory)))
      })
  )
})
