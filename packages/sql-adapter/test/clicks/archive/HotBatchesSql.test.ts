import { HotBatches } from "@clicks/core/clicks/tiers/HotBatches"
import { HotClicks } from "@clicks/core/clicks/tiers/HotClicks"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { suite } from "../../../../core/test/contract/clicks/tiers/HotClicksContract.ts"
import * as Database from "../../../src/Database.ts"
import * as TestDatabase from "../../TestDatabase.ts"
import { click, insert, list } from "../someClicks.ts"
import { begin, complete, cutNow, hotIds, hotLayer, move, opened, read } from "./hotStore.ts"

suite("PostgreSQL", hotLayer)

const at = (millis: number) => new Date(Date.UTC(2026, 0, 1) + millis)
const future = new Date(Date.now() + 3_600_000)

const derived = (number: number) => `00000000-0000-8000-8000-${String(number).padStart(12, "0")}`

layer(Layer.fresh(hotLayer), { excludeTestServices: true })("HotBatchesSql", (it) => {
  it.effect("has every click until it has caught up, then those that arrive after the mark", () =>
    Effect.gen(function* () {
      const clicks = [click(), click(), click()]
      yield* insert(...clicks)
      assert.isNull(yield* HotClicks.use((hot) => hot.cut))
      assert.strictEqual(yield* move, 3)
      const later = click()
      yield* insert(later)
      assert.deepStrictEqual(yield* hotIds, [later.id])
      assert.strictEqual((yield* cutNow).mark, 1)
      assert.strictEqual((yield* list).total, 4)
      yield* move
    })
  )

  it.effect("moves each click once, even of transactions that were in progress at the mark", () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase.TestDatabase
      const [slow, quick, last] = [click(), click(), click()]
      // The slow transaction gets its number first and commits last.
      const elsewhere = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const connection = yield* sql.reserve
        const run = (statement: string) => connection.executeUnprepared(statement, [], undefined)
        yield* run("begin")
        yield* run(
          `insert into clicks (id, product_id, action, source, device_type, occurred_at, received_at)
           values ('${slow.id}', 'p', 'view', 'web', 'desktop', now(), now())`
        )
        return Effect.asVoid(run("commit"))
      })
      yield* Effect.gen(function* () {
        const commit = yield* elsewhere
        yield* insert(quick)
        assert.strictEqual(yield* move, 1)
        const before = yield* cutNow
        yield* commit
        yield* insert(last)
        assert.deepStrictEqual(yield* hotIds, [slow.id, last.id].toSorted())
        assert.deepStrictEqual(yield* read(before), [])
        assert.strictEqual(yield* move, 2)
        assert.deepStrictEqual(yield* hotIds, [])
      }).pipe(Effect.scoped, Effect.provide(Layer.fresh(Database.layer({ url }))))
    })
  )

  it.effect("completes no attempt after one of its clicks was deleted, or may have been", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [kept, deleted] = [click(), click()]
      yield* insert(kept, deleted)
      const batch = yield* opened
      yield* Stream.runDrain(batch.clicks)
      yield* sql`delete from clicks where id = ${deleted.id}::uuid`
      assert.isFalse(yield* complete(batch.attempt, 2))
      yield* HotBatches.use((batches) => batches.abandon(batch.attempt))
      assert.deepStrictEqual(yield* hotIds, [kept.id])
      assert.strictEqual(yield* move, 1)
      assert.include((yield* cutNow).abandoned, batch.attempt)
    })
  )

  it.effect("ends the stream of clicks early when the attempt is abandoned", () =>
    Effect.gen(function* () {
      yield* insert(...Array.from({ length: 100 }, () => click()))
      const first = yield* opened
      assert.isNull(yield* begin())
      const second = yield* Effect.fromNullishOr(yield* begin(Duration.zero))
      assert.strictEqual(second.attempt, first.attempt + 1)
      assert.strictEqual((yield* Effect.flip(Stream.runDrain(first.clicks))).reason, "Unavailable")
      assert.isFalse(yield* complete(first.attempt, 100))
      assert.isTrue(yield* complete(second.attempt, 100))
    })
  )

  it.effect("removes moved clicks, and keeps derived ids forever", () =>
    Effect.gen(function* () {
      const keyed = click({ id: derived(1) })
      const fresh = click()
      const ahead = click({ occurred_at: new Date(future.getTime() + 1) })
      assert.strictEqual((yield* insert(keyed, fresh, ahead)).size, 3)
      yield* move
      assert.strictEqual((yield* insert(keyed)).size, 0)
      const { total } = yield* list
      const removed = yield* HotBatches.use((batches) => batches.removeMoved(future))
      assert.strictEqual(removed, total - 1)
      assert.strictEqual((yield* list).total, 1)
      const added = [click(), click({ id: derived(2) })]
      assert.deepStrictEqual(yield* insert(keyed), new Set())
      assert.deepStrictEqual(yield* insert(keyed, ...added), new Set(added.map(({ id }) => id)))
      assert.strictEqual((yield* list).total, 3)
      assert.isNotNull((yield* cutNow).removedUntil)
      yield* move
    })
  )

  it.effect("excludes expired clicks from cuts and batches before they are deleted", () =>
    Effect.gen(function* () {
      const old = click({ occurred_at: at(0), received_at: at(1) })
      const late = click({ occurred_at: at(0), received_at: at(1000) })
      yield* insert(old, late)
      const open = yield* opened
      assert.strictEqual(open.count, 2)
      yield* HotBatches.use((batches) => batches.expire(at(500)))
      assert.isFalse(yield* complete(open.attempt, 2))
      assert.deepStrictEqual(yield* hotIds, [late.id])
      assert.strictEqual(yield* move, 1)
      assert.deepStrictEqual((yield* cutNow).expired, at(500))
      assert.strictEqual(yield* HotBatches.use((batches) => batches.removeExpired(at(500))), 1)
      assert.isNull((yield* cutNow).expired)
    })
  )
})
