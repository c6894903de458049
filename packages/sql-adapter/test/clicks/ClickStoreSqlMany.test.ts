import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Schedule, Stream } from "effect"
import { SqlClient } from "effect/sql"
import * as ClickStoreSql from "../../src/clicks/ClickStoreSql.ts"
import * as Database from "../../src/Database.ts"
import * as DatabaseProxy from "../DatabaseProxy.ts"
import * as TestDatabase from "../TestDatabase.ts"
import { click, insert, list, stream } from "./someClicks.ts"

const throughProxy = ClickStoreSql.layer.pipe(
  Layer.provide(Layer.unwrap(DatabaseProxy.DatabaseProxy.useSync(({ url }) => Database.layer({ url })))),
  Layer.provideMerge(DatabaseProxy.layer),
  Layer.provideMerge(TestDatabase.layer)
)

const many = (fields: object = {}) => Array.from({ length: 1500 }, () => click(fields))

// Their ids are derived from keys, like those of imported rows.
const keyed = () =>
  many().map((event) => ({ ...event, id: `${event.id.slice(0, 14)}8${event.id.slice(15)}` }))

const insertAgain = (batch: ReadonlyArray<ReturnType<typeof click>>) =>
  Effect.retry(insert(...batch), { while: (error) => error.isRetryable, times: 5 })

const idsOf = (events: Iterable<{ readonly id: string }>) => Array.from(events, ({ id }) => id).sort()

const assertStoredOnce = Effect.fnUntraced(function* (events: Iterable<{ readonly id: string }>) {
  assert.deepStrictEqual(idsOf(yield* Stream.runCollect(stream)), idsOf(events))
  assert.strictEqual((yield* list).total, idsOf(events).length)
})

layer(throughProxy, { excludeTestServices: true })("ClickStoreSql.insert of many clicks", (it) => {
  const all: Array<ReturnType<typeof click>> = []

  it.effect("distinguishes new clicks from stored ones, repeatedly", () =>
    Effect.gen(function* () {
      const first = keyed()
      assert.strictEqual((yield* insert(...first)).size, 1500)
      for (let round = 0; round < 3; round++) {
        const next = keyed()
        const added = yield* insert(...first.slice(0, 700), ...next, ...next.slice(0, 10))
        assert.deepStrictEqual(idsOf(Array.from(added, (id) => ({ id }))), idsOf(next))
        assert.strictEqual((yield* insert(...next)).size, 0)
        all.push(...next)
      }
      all.push(...first)
      yield* assertStoredOnce(all)
    })
  )

  it.effect("stores each click once if the connection is lost in the middle of the rows", () =>
    Effect.gen(function* () {
      const { cutAt, hasCut } = yield* DatabaseProxy.DatabaseProxy
      const batch = many({ store_id: "s-cut" })
      yield* cutAt("request", "s-cut")
      assert.strictEqual((yield* insertAgain(batch)).size, 1500)
      assert.isTrue(yield* hasCut)
      all.push(...batch)
      yield* assertStoredOnce(all)
    })
  )

  it.effect("stores each click once if the connection is lost at the commit", () =>
    Effect.gen(function* () {
      const { cutAt, hasCut } = yield* DatabaseProxy.DatabaseProxy
      const batch = many()
      // The server's response after the commit.
      yield* cutAt("answer", "INSERT 0 1500")
      yield* insertAgain(batch)
      assert.isTrue(yield* hasCut)
      assert.strictEqual((yield* insert(...batch)).size, 0)
      all.push(...batch)
      yield* assertStoredOnce(all)
    })
  )

  it.effect("is cancelled on the server when it is interrupted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const untilInserting = (count: number) =>
        sql`select from pg_stat_activity where datname = current_database() and query like 'insert%' and state = 'active'`.pipe(
          Effect.repeat({ schedule: Schedule.spaced("10 millis"), until: (found) => found.length === count })
        )
      const before = (yield* list).total
      const holder = yield* sql.reserve
      const hold = (statement: string) => holder.executeUnprepared(statement, [], undefined)
      yield* hold("begin")
      yield* hold("lock table clicks in exclusive mode")
      const inserting = yield* Effect.forkChild(insert(...many()))
      yield* untilInserting(1)
      yield* Fiber.interrupt(inserting)
      yield* hold("rollback")
      yield* untilInserting(0)
      assert.strictEqual((yield* list).total, before)
    })
  )
})
