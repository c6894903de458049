import { ClickArrivals } from "@clicks/core/clicks/ClickArrivals"
import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import { followClicks } from "@clicks/core/clicks/followClicks"
import * as Uuid from "@clicks/core/values/Uuid"
import { assert, layer } from "@effect/vitest"
import { Arbitrary, Deferred, Effect, Fiber, Layer, Queue, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { arbitraryClick } from "../../../core/test/contract/clicks/arbitraryClicks.ts"
import { readOn, suite } from "../../../core/test/contract/clicks/ClickArrivalsContract.ts"
import * as ClickArrivalsSql from "../../src/clicks/ClickArrivalsSql.ts"
import * as ClickStoreSql from "../../src/clicks/ClickStoreSql.ts"
import * as Database from "../../src/Database.ts"
import * as DatabaseProxy from "../DatabaseProxy.ts"
import * as TestDatabase from "../TestDatabase.ts"

const stores = Layer.merge(ClickArrivalsSql.layer, ClickStoreSql.layer)

suite("PostgreSQL", stores.pipe(Layer.provide(TestDatabase.layer)))

const [template] = Effect.runSync(Arbitrary.sampleEffect(arbitraryClick, { count: 1, seed: 1 }))

const click = (): ClickEvent => {
  if (template === undefined) throw new Error("no click was generated")
  return { ...template, id: Uuid.make(0) }
}

const insert = (...clicks: ReadonlyArray<ClickEvent>) => ClickStore.use((store) => store.insert(clicks))
const now = ClickArrivals.use((arrivals) => arrivals.now)
const ids = (clicks: Iterable<ClickEvent>) => Array.from(clicks, (found) => found.id)

// The store has its own connections, so a transaction around it would not include it.
const insertHere = (...clicks: ReadonlyArray<ClickEvent>) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.forEach(clicks, ({ event_type: _, ...row }) => sql`insert into clicks ${sql.insert(row)}`)
  )

/** Stores clicks in a transaction that stays open until the test commits it. */
const insertSlowly = Effect.fnUntraced(function* (...clicks: ReadonlyArray<ClickEvent>) {
  const sql = yield* SqlClient.SqlClient
  const written = yield* Deferred.make<void>()
  const mayCommit = yield* Deferred.make<void>()
  const fiber = yield* insertHere(...clicks).pipe(
    Effect.andThen(Deferred.succeed(written, undefined)),
    Effect.andThen(Deferred.await(mayCommit)),
    sql.withTransaction,
    Effect.forkChild
  )
  yield* Deferred.await(written)
  return Deferred.succeed(mayCommit, undefined).pipe(Effect.andThen(Fiber.join(fiber)))
})

layer(stores.pipe(Layer.provideMerge(TestDatabase.layer)))("ClickArrivalsSql", (it) => {
  it.effect("returns clicks when their transactions end, in whatever order these began", () =>
    Effect.gen(function* () {
      const [first, second, third] = [click(), click(), click()]
      const commitFirst = yield* insertSlowly(first)
      const start = yield* now
      const commitSecond = yield* insertSlowly(second)
      yield* insert(third)
      const afterThird = yield* readOn(start, {}, 1)
      assert.deepStrictEqual(ids(afterThird.clicks), [third.id])
      yield* commitSecond
      const afterSecond = yield* readOn(afterThird.position, {}, 1)
      assert.deepStrictEqual(ids(afterSecond.clicks), [second.id])
      yield* commitFirst
      const afterFirst = yield* readOn(afterSecond.position, {}, 1)
      assert.deepStrictEqual(ids(afterFirst.clicks), [first.id])
      const all = yield* readOn(start, {}, 2)
      assert.sameMembers(ids(all.clicks), ids([first, second, third]))
    })
  )

  it.effect("returns clicks in the order in which they were stored, whatever their times and ids are", () =>
    Effect.gen(function* () {
      const start = yield* now
      const late = { ...click(), received_at: new Date(0), occurred_at: new Date(0) }
      const batches = [
        [click()],
        [{ ...click(), id: "00000000-0000-4000-8000-000000000001" }],
        [late],
        [click()]
      ]
      yield* Effect.forEach(batches, (batch) => insert(...batch))
      assert.deepStrictEqual(ids((yield* readOn(start, {}, 3)).clicks), ids(batches.flat()))
    })
  )

  it.effect("never returns clicks of a transaction that was rolled back", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const start = yield* now
      yield* insertHere(click()).pipe(Effect.andThen(Effect.fail("no")), sql.withTransaction, Effect.flip)
      const kept = click()
      yield* insert(kept)
      assert.deepStrictEqual(ids((yield* readOn(start, {}, 5)).clicks), [kept.id])
    })
  )

  it.effect("returns clicks stored under a savepoint", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const start = yield* now
      const nested = [click(), click()]
      yield* sql.withTransaction(
        Effect.andThen(insertHere(click()), sql.withTransaction(insertHere(...nested)))
      )
      assert.includeMembers(ids((yield* readOn(start, {}, 1)).clicks), ids(nested))
    })
  )

  it.effect("does not return clicks of a dump that was restored in another cluster", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const restored = [click(), click(), click()]
      yield* insert(...restored)
      // Like `pg_restore`: the rows are written again, with the numbers from the dump.
      for (const [index, { id }] of restored.entries()) {
        yield* sql`update clicks set arrival = (pg_current_xact_id()::text::bigint + ${index * 3 + 1})::text::xid8
          where id = ${id}`
      }
      const start = yield* now
      const later: Array<ClickEvent> = []
      for (let count = 0; count < 30; count++) {
        const added = click()
        yield* insert(added)
        later.push(added)
      }
      assert.sameMembers(ids((yield* readOn(start, {}, 4)).clicks), ids(later))
    })
  )

  it.effect("returns every click once while many are stored concurrently", () =>
    Effect.gen(function* () {
      const batches = Array.from({ length: 80 }, () => Array.from({ length: 7 }, click))
      const met: Array<ClickEvent> = []
      let { position } = yield* readOn(yield* now, {}, 1)
      const storing = yield* Effect.forEach(batches, (batch) => insert(...batch), { concurrency: 8 }).pipe(
        Effect.forkChild
      )
      while (met.length < 80 * 7) {
        const found = yield* readOn(position, {}, 5)
        met.push(...found.clicks)
        position = found.position
      }
      yield* Fiber.join(storing)
      assert.deepStrictEqual(ids(met).sort(), ids(batches.flat()).sort())
      assert.deepStrictEqual((yield* readOn(position, {}, 5)).clicks, [])
    })
  )
})

layer(stores.pipe(Layer.provideMerge(DatabaseProxy.layer), Layer.provideMerge(TestDatabase.layer)))(
  "followClicks, on PostgreSQL",
  (it) => {
    it.effect("continues after an outage of the database without skipping clicks", () =>
      TestClock.withLive(
        Effect.gen(function* () {
          const proxy = yield* DatabaseProxy.DatabaseProxy
          const printed = yield* Queue.unbounded<string>()
          const told = yield* Queue.unbounded<string>()
          const takeTold = Queue.take(told)
          yield* followClicks(
            {},
            {
              onStart: Effect.asVoid(Queue.offer(told, "following")),
              onAway: () => Effect.asVoid(Queue.offer(told, "away")),
              onBack: Effect.asVoid(Queue.offer(told, "back"))
            }
          ).pipe(
            Stream.runForEach((found) => Queue.offer(printed, found.id)),
            Effect.provide(ClickArrivalsSql.layer.pipe(Layer.provide(Database.layer({ url: proxy.url }))), {
              local: true
            }),
            Effect.forkChild({ startImmediately: true })
          )
          assert.strictEqual(yield* takeTold, "following")
          yield* proxy.stop
          assert.strictEqual(yield* takeTold, "away")
          const meanwhile = Array.from({ length: 700 }, click)
          yield* insert(...meanwhile)
          yield* proxy.start
          assert.sameMembers(yield* Queue.takeN(printed, 700), ids(meanwhile))
          assert.strictEqual(yield* takeTold, "back")
        })
      )
    )
  }
)
