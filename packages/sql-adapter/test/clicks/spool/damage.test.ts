import {
  appendFileSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { basename, join } from "node:path"
import type { SpooledClick } from "@clicks/core/clicks/recording/Spool"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Logger, Schema } from "effect"
import {
  append,
  spooledClick,
  spooledClicks,
  status,
  takeOut
} from "../../../../core/test/contract/clicks/spooledClicks.ts"
import * as SpoolLog from "../../../src/clicks/SpoolLog.ts"
import { decode, encodeFrame, type Frame, readFrames } from "../../../src/clicks/spool/SegmentContent.ts"
import { temporaryFolder } from "./temporaryFolder.ts"

// Segments of 128 KiB.
const maxBytes = 1024 ** 2
const spoolIn = (directory: string) => SpoolLog.layer({ directory, maxBytes })

const lossy = (bytes: Uint8Array): SpooledClick => {
  const { event } = spooledClick()
  return {
    event,
    quarantined: { click_id: event.id, received_at: event.received_at, reason: "odd", original: bytes }
  }
}

/** 150 clicks in several segments, every tenth with an original of some KiB. */
const written = Effect.gen(function* () {
  const directory = yield* temporaryFolder
  const clicks = Array.from({ length: 150 }, (_, index) =>
    index % 10 === 3 ? lossy(new Uint8Array(9000 + 60 * index).fill(index)) : spooledClick()
  )
  yield* Effect.gen(function* () {
    for (let at = 0; at < clicks.length; at += 20) yield* append(clicks.slice(at, at + 20))
  }).pipe(Effect.provide(spoolIn(directory)))
  return { directory, clicks }
})

const ids = (clicks: ReadonlyArray<SpooledClick>) => clicks.map(({ event }) => event.id)

const segmentsIn = (directory: string) => readdirSync(directory).filter((name) => /^\d.*\.log$/.test(name))

const markerOf = (segment: string) => Buffer.from(segment.slice(-20, -4), "hex")

interface Placed {
  readonly id: string
  readonly start: number
  readonly end: number
}

/** The position of each click's record. */
const recordsOf = (segment: string, bytes: Buffer): ReadonlyArray<Placed> => {
  let at = 0
  return [...readFrames(bytes, markerOf(segment).toString("hex"))].map((frame) => {
    const { size } = frame as Frame
    at += size
    return { id: decode(frame as Frame)?.event.id ?? "", start: at - size, end: at }
  })
}

/** Drains the spool like a new process, and returns the log. */
const drained = (directory: string) => {
  const lines: Array<string> = []
  const logger = Logger.make(({ message }) => void lines.push(String(message)))
  return Effect.gen(function* () {
    const clicks = yield* takeOut()
    return { clicks, lines, ...(yield* status) }
  }).pipe(Effect.provide(spoolIn(directory)), Effect.provide(Logger.layer([logger])))
}

const upTo = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))

const Damage = Schema.Struct({
  kind: Schema.Literals(["flip a bit", "overwrite", "insert", "cut out", "cut off"]),
  /** The segment, the position in it in millionths, the number of bytes, and what is written there. */
  segment: upTo(9),
  place: upTo(999_999),
  length: upTo(3000),
  byte: upTo(255)
})
type Damage = typeof Damage.Type

const damaged = (
  content: Buffer<ArrayBuffer>,
  { byte, kind, length }: Damage,
  at: number
): Buffer<ArrayBuffer> => {
  const [before, after] = [content.subarray(0, at), content.subarray(at)]
  switch (kind) {
    case "flip a bit":
      return Buffer.concat([before, Buffer.of((after[0] ?? 0) ^ (1 << (byte % 8))), after.subarray(1)])
    case "overwrite":
      return Buffer.concat([before, Buffer.alloc(length, byte), after.subarray(length)])
    case "insert":
      return Buffer.concat([before, Buffer.alloc(length, byte), after])
    case "cut out":
      return Buffer.concat([before, after.subarray(length)])
    case "cut off":
      return before
  }
}

const touches = ({ kind, length }: Damage, at: number, { end, start }: Placed): boolean => {
  if (kind === "insert") return start < at && at < end
  const last = { "flip a bit": at + 1, overwrite: at + length, "cut out": at + length, "cut off": Infinity }[
    kind
  ]
  return start < last && at < end
}

/** Damages a file. Returns the ids of the clicks whose records were touched. */
const damage = (
  directory: string,
  segment: string,
  damages: ReadonlyArray<Damage>
): ReadonlyArray<string> => {
  const file = join(directory, segment)
  const content = readFileSync(file)
  const records = recordsOf(segment, content)
  const placed = damages
    .map((one) => ({ one, at: Math.floor((one.place / 1e6) * content.length) }))
    // From the end towards the beginning, so that earlier positions stay valid.
    .sort((a, b) => b.at - a.at)
    // If one reached into the next, truncation there would also affect bytes beyond its own end.
    .filter(({ at, one }, index, { [index - 1]: next }) => next === undefined || at + one.length <= next.at)
  writeFileSync(
    file,
    placed.reduce<Buffer<ArrayBuffer>>((bytes, { at, one }) => damaged(bytes, one, at), content)
  )
  return records
    .filter((record) => placed.some(({ at, one }) => touches(one, at, record)))
    .map(({ id }) => id)
}

/** In a form that can be compared byte by byte. */
const plain = ({ event, quarantined }: SpooledClick) => ({
  event,
  quarantined: quarantined && { ...quarantined, original: Array.from(quarantined.original) }
})

describe("a damaged spool", () => {
  it.live.prop(
    "loses only records that the damage touched, and reports each",
    [Arbitrary.array(Arbitrary.schema(Damage), { minLength: 1, maxLength: 4 })],
    ([damages]) =>
      Effect.gen(function* () {
        const { clicks, directory } = yield* written
        const touched = new Set(
          segmentsIn(directory).flatMap((segment, index, { length: count }) =>
            damage(
              directory,
              segment,
              damages.filter((one) => one.segment % count === index)
            )
          )
        )
        const found = yield* drained(directory)
        const sent = new Map(clicks.map((click) => [click.event.id, plain(click)]))
        for (const click of found.clicks) assert.deepStrictEqual(plain(click), sent.get(click.event.id))

        const lost = ids(clicks).filter((id) => !ids(found.clicks).includes(id))
        assert.isEmpty(lost.filter((id) => !touched.has(id)))
        assert.strictEqual(found.depth, 0)
        const reported = found.lines.flatMap((line) => /, (\d+) clicks lost/.exec(line)?.[1] ?? [])
        assert.strictEqual(
          reported.reduce((sum, count) => sum + Number(count), 0),
          lost.length
        )
        assert.strictEqual(found.set_aside, reported.length)
      }).pipe(Effect.scoped),
    { arbitrary: { runs: Number(process.env["CLICKS_TEST_DAMAGES"] ?? 20) } }
  )

  it.live("is set aside, checked, and counted until its file is deleted", () =>
    Effect.gen(function* () {
      const { clicks, directory } = yield* written
      const [segment = ""] = segmentsIn(directory)
      const [first] = recordsOf(segment, readFileSync(join(directory, segment)))
      damage(directory, segment, [{ kind: "flip a bit", segment: 0, place: 0, length: 1, byte: 0 }])
      const damaged_bytes = first?.end ?? 0

      const waits = yield* SpoolLog.check({ directory, maxBytes })
      assert.deepInclude(waits, { clicks: 149 })
      assert.deepInclude(waits.damaged[0], { damaged_bytes, lost: 1 })
      const found = yield* drained(directory)
      assert.deepStrictEqual(ids(found.clicks), ids(clicks.slice(1)))

      const aside = yield* SpoolLog.check({ directory, maxBytes })
      assert.deepInclude(aside, { clicks: 0 })
      assert.lengthOf(aside.damaged, 1)
      assert.deepInclude(aside.damaged[0], {
        damaged_bytes,
        lost: 1,
        readable: waits.damaged[0]?.readable ?? 0
      })
      assert.match(aside.damaged[0]?.file ?? "", /\/damaged-[^/]*\.log$/)
      rmSync(aside.damaged[0]?.file ?? "")
      assert.strictEqual((yield* drained(directory)).set_aside, 0)
    })
  )

  it.live("reports a segment that was cut off between two records", () =>
    Effect.gen(function* () {
      const { clicks, directory } = yield* written
      const [segment = ""] = segmentsIn(directory)
      const file = join(directory, segment)
      const records = recordsOf(segment, readFileSync(file))
      truncateSync(file, records.at(-3)?.end ?? 0)
      const { clicks: found, lines, set_aside } = yield* drained(directory)
      assert.lengthOf(found, clicks.length - 2)
      assert.strictEqual(set_aside, 1)
      assert.lengthOf(
        lines.filter((line) => line.includes(" 0 bytes, 2 clicks lost")),
        1
      )
    })
  )

  it.live("does not take bytes sent by a client for a record", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      const forged = encodeFrame(
        Buffer.alloc(8, 7),
        JSON.stringify({ event: { ...spooledClick().event, user_id: "forged" } }),
        null
      )
      yield* append([lossy(forged), spooledClick()]).pipe(Effect.provide(spoolIn(directory)))
      damage(directory, segmentsIn(directory)[0] ?? "", [
        { kind: "flip a bit", segment: 0, place: 0, length: 1, byte: 0 }
      ])
      const { clicks } = yield* drained(directory)
      assert.lengthOf(clicks, 1)
      assert.isNull(clicks[0]?.event.user_id)
    })
  )

  it.live("sets aside a record that this version cannot read", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      const clicks = spooledClicks(3)
      yield* append(clicks).pipe(Effect.provide(spoolIn(directory)))
      const [segment = ""] = segmentsIn(directory)
      const newer = encodeFrame(markerOf(segment), JSON.stringify({ event: { shape: "of tomorrow" } }), null)
      appendFileSync(join(directory, segment), newer)
      const { clicks: found, set_aside } = yield* drained(directory)
      assert.deepStrictEqual(ids(found), ids(clicks))
      assert.strictEqual(set_aside, 1)
    })
  )
})

/** A copy of a spool whose process was killed. */
const killed = Effect.gen(function* () {
  const directory = yield* temporaryFolder
  const image = `${directory}-image`
  const clicks = spooledClicks(60)
  yield* Effect.gen(function* () {
    for (let at = 0; at < 60; at += 20) yield* append(clicks.slice(at, at + 20))
    cpSync(directory, image, { recursive: true })
  }).pipe(Effect.provide(spoolIn(directory)))
  return { directory: image, clicks, file: join(image, segmentsIn(image)[0] ?? "") }
})

describe("a spool whose process was killed", () => {
  it.live.each<readonly [string, (file: string) => void, left: number]>([
    ["in the middle of a write", (file) => truncateSync(file, readFileSync(file).length - 100), 59],
    ["before all of a write reached the disk", (file) => appendFileSync(file, Buffer.alloc(5000)), 60]
  ])("(%s) keeps acknowledged clicks and is not reported as damaged", ([, tear, left]) =>
    Effect.gen(function* () {
      const { clicks, directory, file } = yield* killed
      tear(file)
      const { clicks: found, lines, set_aside } = yield* drained(directory)
      assert.deepStrictEqual(ids(found), ids(clicks.slice(0, left)))
      assert.strictEqual(set_aside, 0)
      assert.lengthOf(
        lines.filter((line) => line.includes("never acknowledged")),
        1
      )
      assert.isEmpty(readdirSync(directory))
    })
  )

  it.live("reports damage before the end of its last segment", () =>
    Effect.gen(function* () {
      const { clicks, directory, file } = yield* killed
      damage(directory, basename(file), [
        { kind: "flip a bit", segment: 0, place: 500_000, length: 1, byte: 3 }
      ])
      const { clicks: found, lines, set_aside } = yield* drained(directory)
      assert.lengthOf(found, clicks.length - 1)
      assert.strictEqual(set_aside, 1)
      assert.lengthOf(
        lines.filter((line) => line.includes("an unknown number of clicks lost")),
        1
      )
    })
  )
})
