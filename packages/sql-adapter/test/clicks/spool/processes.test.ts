import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { waiting } from "../../../../core/test/contract/clicks/SpoolContract.ts"
import {
  append,
  spooledClicks,
  status,
  waitingClicks
} from "../../../../core/test/contract/clicks/spooledClicks.ts"
import * as SpoolLog from "../../../src/clicks/SpoolLog.ts"
import { temporaryFolder } from "./temporaryFolder.ts"
import { spawnWriter, type Witness, witness } from "./writers.ts"

const kills = Number(process.env["CLICKS_TEST_KILLS"] ?? 5)

const until = (condition: () => boolean) =>
  Effect.sync(condition).pipe(
    Effect.repeat({ until: (holds) => holds, schedule: Schedule.spaced("2 millis") })
  )

/** Compares the acknowledgements that the writers received with the waiting clicks. */
const account = Effect.fnUntraced(function* (directory: string, { appended, sent, taken }: Witness) {
  const [waits, { set_aside }] = yield* Effect.all([waiting, status]).pipe(
    Effect.provide(SpoolLog.layer({ directory, maxBytes: 1024 ** 3 }))
  )
  const found = waits.map(({ event }) => event.id)
  const distinct = new Set(found)
  return {
    set_aside,
    missing: [...appended].filter((id) => !distinct.has(id) && !taken.has(id)).length,
    doubled: found.length - distinct.size,
    unknown: found.filter((id) => !sent.has(id)).length
  }
})

const none = { set_aside: 0, missing: 0, doubled: 0, unknown: 0 }

describe("a spool shared by processes", () => {
  it.live("shows clicks of a live process to others, which adopt them when it ends", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      const options = { directory, maxBytes: 1024 ** 3 }
      const clicks = spooledClicks(5)
      const other = Effect.provide(Effect.all([waitingClicks, status]), SpoolLog.layer(options), {
        local: true
      })
      yield* Effect.gen(function* () {
        yield* append(clicks.slice(0, 3))
        const [read, { depth }] = yield* other
        assert.deepStrictEqual([read.length, depth], [0, 3])
        yield* append(clicks.slice(3))
        assert.strictEqual((yield* other)[1].depth, 5)
      }).pipe(Effect.provide(SpoolLog.layer(options), { local: true }))
      const [read, { depth }] = yield* other
      assert.deepStrictEqual(
        read.map(({ event }) => event.id),
        clicks.map(({ event }) => event.id)
      )
      assert.strictEqual(depth, 5)
    })
  )

  it.live(
    `loses no acknowledged click when its process is killed ${kills} times at random moments`,
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryFolder
        const seen = witness()
        for (let kill = 0; kill < kills; kill++) {
          const writer = spawnWriter(directory, kill % 2 === 0 ? "append" : "mixed", seen)
          const moment = Math.floor(Math.random() * 120)
          yield* until(() => writer.lines() >= moment)
          assert.isNull(writer.exitCode(), writer.complaint())
          yield* writer.kill
        }
        assert.deepStrictEqual(yield* account(directory, seen), none)
        console.log(`${kills} kills, ${seen.appended.size} clicks acknowledged, ${seen.taken.size} taken out`)
      }),
    // A writer takes eight seconds to start when ten processes compete for two processors.
    { timeout: 60_000 + kills * 20_000 }
  )

  it.live("loses no click of several processes that write and drain concurrently", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      const seen = witness()
      const writers = (["append", "append", "mixed", "mixed"] as const).map((mode) =>
        spawnWriter(directory, mode, seen)
      )
      yield* until(() => writers.every((writer) => writer.lines() > 200))
      assert.deepStrictEqual(
        writers.map((writer) => writer.exitCode()),
        [null, null, null, null],
        writers.map((writer) => writer.complaint()).join("")
      )
      yield* Effect.forEach(writers, (writer) => writer.leave, { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* account(directory, seen), none)
      assert.isAbove(seen.taken.size, 0)
    })
  )
})
