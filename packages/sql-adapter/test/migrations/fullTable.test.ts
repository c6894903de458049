import { ClickStore } from "@clicks/core/clicks/ClickStore"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as ClickRollup from "../../src/clicks/ClickRollup.ts"
import * as ClickStoreSql from "../../src/clicks/ClickStoreSql.ts"
import * as Database from "../../src/Database.ts"
import { databaseStatus } from "../../src/DatabaseStatus.ts"
import { migrate, migrateWith } from "../../src/migrations/migrate.ts"
import { type Migrations, migrations } from "../../src/migrations/migrations.ts"
import { click, insert } from "../clicks/someClicks.ts"
import * as TestDatabase from "../TestDatabase.ts"

const index = "clicks_by_arrival"

/** Runs with its own connections, like another process. */
const elsewhere = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  TestDatabase.TestDatabase.use(({ url }) =>
    Effect.provide(
      effect,
      Layer.fresh(ClickStoreSql.layer.pipe(Layer.provideMerge(Database.layer({ url })))),
      {
        local: true
      }
    )
  )

const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`drop index ${sql(index)}`
  yield* sql`
    insert into clicks (id, product_id, action, source, device_type, occurred_at, received_at)
    select gen_random_uuid(), 'p-' || n % 10, 'view', 'web', 'desktop', timestamptz '2026-11-01' + n * interval '1 second', now()
    from generate_series(1, 5000) as n`
})

// An older database with clicks that lacks an index.
const older = Layer.effectDiscard(fill).pipe(Layer.provideMerge(TestDatabase.layer))

const addColumn: Migrations[string] = SqlClient.SqlClient.use((sql) =>
  Effect.asVoid(sql`alter table clicks add column later integer`)
)

/** Runs a statement in a transaction of another session. The returned effect ends the transaction. */
const transactionOf = Effect.fnUntraced(function* (statement: string) {
  const [isOpen, mayEnd] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const open = SqlClient.SqlClient.use((sql) =>
    sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`set transaction isolation level repeatable read`
        yield* sql.unsafe(statement)
        yield* Deferred.succeed(isOpen, undefined)
        yield* Deferred.await(mayEnd)
      })
    )
  )
  const fiber = yield* Effect.forkScoped(elsewhere(open))
  yield* Deferred.await(isOpen)
  return Effect.andThen(Deferred.succeed(mayEnd, undefined), Fiber.join(fiber))
})

/** Waits until the last statement of another session starts with this text. Returns its process id. */
const statement = (beginning: string) =>
  SqlClient.SqlClient.use(
    (sql) => sql<{ readonly pid: number }>`
      select pid from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query ilike ${`${beginning}%`}`
  ).pipe(
    Effect.repeat({ until: (rows) => rows.length > 0 }),
    Effect.map(([row]) => row?.pid ?? 0)
  )

/** The same, and until that session waits for a lock. */
const waiting = (beginning: string) =>
  statement(beginning).pipe(
    Effect.tap((pid) =>
      SqlClient.SqlClient.use(
        (sql) => sql`select from pg_locks where not granted and pid = ${pid}::integer`
      ).pipe(Effect.repeat({ until: (rows) => rows.length > 0 }))
    )
  )

const pending = Effect.map(databaseStatus, (status) => status.pendingMigrations)

const assertTotal = Effect.fnUntraced(function* (total: number) {
  const page = yield* ClickStore.use((store) =>
    store.list({ filter: { source: "web" }, limit: 10, offset: 0 })
  )
  assert.strictEqual(page.total, total)
  assert.lengthOf(page.events, 10)
})

const record = insert(click())

layer(older, { excludeTestServices: true })("migrate, on a table with clicks", (it) => {
  it.effect("lets other sessions record and list while an index is built", () =>
    Effect.gen(function* () {
      const endSnapshot = yield* transactionOf("select 1")
      const migrating = yield* Effect.forkScoped(elsewhere(migrate))
      yield* waiting("create index concurrently")
      const next = yield* Effect.forkScoped(elsewhere(migrate))
      yield* elsewhere(Effect.andThen(assertTotal(5000), record))
      assert.deepStrictEqual(yield* pending, [index])

      yield* endSnapshot
      assert.deepStrictEqual(yield* Fiber.join(migrating), [`index ${index}`])
      assert.deepStrictEqual(yield* Fiber.join(next), [])
      assert.deepStrictEqual(yield* pending, [])
      yield* elsewhere(assertTotal(5001))
      yield* Effect.repeat(ClickRollup.rollUp(), { until: (rows) => rows === 0 })
      yield* elsewhere(assertTotal(5001))
    }).pipe(Effect.scoped)
  )
})

layer(older, { excludeTestServices: true })("migrate, on a table that a long transaction reads", (it) => {
  it.effect("lets other sessions proceed while it waits for the lock", () =>
    Effect.gen(function* () {
      const endReading = yield* transactionOf("select from clicks limit 1")
      const migrating = yield* Effect.forkScoped(
        elsewhere(migrateWith({ ...migrations, "0002_later": addColumn }))
      )
      yield* waiting("alter table clicks")
      yield* elsewhere(record)
      yield* endReading
      assert.deepStrictEqual(yield* Fiber.join(migrating), ["2 later", `index ${index}`])
    }).pipe(Effect.scoped)
  )
})

layer(older, { excludeTestServices: true })("migrate, after an interrupted index build", (it) => {
  it.effect("reports it, and rebuilds the index the next time", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const endSnapshot = yield* transactionOf("select 1")
      const migrating = yield* Effect.forkScoped(Effect.flip(elsewhere(migrate)))
      const builder = yield* waiting("create index concurrently")
      yield* sql`select pg_terminate_backend(${builder}::integer)`
      assert.match((yield* Fiber.join(migrating)).message, /^Migration failed: /)
      assert.deepStrictEqual(yield* pending, [index])

      yield* endSnapshot
      assert.deepStrictEqual(yield* migrate, [`index ${index}`])
      assert.deepStrictEqual(yield* pending, [])
      yield* elsewhere(assertTotal(5000))
    }).pipe(Effect.scoped)
  )
})

layer(TestDatabase.layer, { excludeTestServices: true })("migrate, in two processes at once", (it) => {
  it.effect("builds an index once, without a deadlock", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`drop index ${sql(index)}`
      const endWriting = yield* transactionOf("lock table clicks in row exclusive mode")
      const first = yield* Effect.forkScoped(elsewhere(migrate))
      yield* waiting("create index concurrently")
      const second = yield* Effect.forkScoped(elsewhere(migrate))
      yield* statement("select pg_%advisory_lock")
      yield* endWriting
      assert.deepStrictEqual(yield* Fiber.join(first), [`index ${index}`])
      assert.deepStrictEqual(yield* Fiber.join(second), [])
    }).pipe(Effect.scoped)
  )
})
