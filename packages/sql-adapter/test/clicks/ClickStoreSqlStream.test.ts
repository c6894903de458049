import { ClickStore } from "@clicks/core/clicks/ClickStore"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Redacted, Stream } from "effect"
import { SqlClient } from "effect/sql"
import * as ClickStoreSql from "../../src/clicks/ClickStoreSql.ts"
import * as Database from "../../src/Database.ts"
import * as TestDatabase from "../TestDatabase.ts"
import { click, insert, list, stream } from "./someClicks.ts"

const connected = ClickStoreSql.layer.pipe(Layer.provideMerge(Layer.fresh(TestDatabase.layer)))

/** The number of connections with an open transaction, and what they wait for. */
const held = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ readonly pid: number; readonly started: number }>`
    select pid, extract(epoch from clock_timestamp() - xact_start)::double precision as started from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and state like 'idle in transaction%'
      and pid <> pg_backend_pid()`
})

const reading = (count: number) => Effect.repeat(held, { until: (found) => found.length === count })

/** Runs the effect when the first click has arrived, before the next one is requested. */
const onFirst = <E, R>(effect: Effect.Effect<unknown, E, R>) => {
  let isFirst = true
  return Stream.tap(() => {
    const run = isFirst ? effect : Effect.void
    isFirst = false
    return run
  })
}

const stuck = stream.pipe(
  Stream.tap(() => Effect.never),
  Stream.runDrain
)

layer(connected, { excludeTestServices: true })("ClickStoreSql.stream", (it) => {
  const fill = Effect.forEach(Array.from({ length: 20 }), () =>
    insert(...Array.from({ length: 1000 }, () => click()))
  )

  it.effect("releases the connection when the reader stops midway", () =>
    Effect.gen(function* () {
      yield* fill
      const reader = yield* Effect.forkChild(stuck)
      yield* reading(1)
      yield* Fiber.interrupt(reader)
      yield* reading(0)
    })
  )

  it.effect("reads the next clicks while the reader handles the first", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const reader = yield* Effect.forkChild(stuck)
      // The first fetch takes 16 rows, later ones more.
      yield* Effect.repeat(
        sql`
          select from pg_stat_activity
          where datname = current_database() and query like 'fetch %' and query not like 'fetch 16 %'`,
        { until: (found) => found.length === 1 }
      )
      yield* Fiber.interrupt(reader)
    })
  )

  it.effect("fails as busy while three streams are open, and works when one is closed", () =>
    Effect.gen(function* () {
      const readers = yield* Effect.forEach(Array.from({ length: 3 }), () => Effect.forkChild(stuck))
      yield* reading(3)
      assert.strictEqual((yield* Effect.flip(Stream.runDrain(stream))).reason, "Busy")
      const { total } = yield* list
      yield* Effect.all(readers.map(Fiber.interrupt), { concurrency: "unbounded" })
      assert.strictEqual(yield* Stream.runCount(stream), total)
    })
  )

  it.effect("reads few large clicks at a time, and many small ones", () =>
    Effect.gen(function* () {
      yield* insert(
        ...Array.from({ length: 200 }, () => click({ source: "large", url_path: "x".repeat(60_000) }))
      )
      const chunksOf = (source: string) =>
        ClickStore.use((store) => store.stream({ source }).pipe(Stream.chunks, Stream.runCollect))
      const large = yield* chunksOf("large")
      assert.strictEqual(large.flat().length, 200)
      // 16 before the sizes are known.
      assert.isAtMost(Math.max(...large.slice(1).map((chunk) => chunk.length)), 4)
      assert.isAbove(Math.max(...(yield* chunksOf("web")).map((chunk) => chunk.length)), 100)
    })
  )

  it.effect("is exempt from the statement and idle transaction timeouts", () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase.TestDatabase
      const sql = yield* SqlClient.SqlClient
      const name = sql(new URL(Redacted.value(url)).pathname.slice(1))
      yield* sql`alter database ${name} set idle_in_transaction_session_timeout = '1s'`
      const hasty = ClickStoreSql.layer.pipe(
        Layer.provide(Database.layer({ url, statementTimeout: "1 second" }))
      )
      const longest = Effect.map(held, (found) => found.some(({ started }) => started > 1.2))
      const count = yield* stream.pipe(
        onFirst(Effect.repeat(longest, { until: (isLong) => isLong })),
        Stream.runCount,
        Effect.provide(hasty, { local: true })
      )
      assert.strictEqual(count, (yield* list).total)
    })
  )

  it.effect("fails as unavailable when its connection breaks midway", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const cut = sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and state like 'idle in transaction%' and pid <> pg_backend_pid()`
      const reader = stream.pipe(
        onFirst(Effect.repeat(cut, { until: (pids) => pids.length === 1 })),
        Stream.runDrain
      )
      assert.strictEqual((yield* Effect.flip(reader)).reason, "Unavailable")
      yield* list
    })
  )
})

layer(connected, { excludeTestServices: true })("ClickStoreSql.streamPage", (it) => {
  it.effect("reads a page of large clicks piece by piece and holds no connection between pieces", () =>
    Effect.gen(function* () {
      const occurred_at = new Date()
      const sizes = Array.from({ length: 120 }, (_, n) =>
        n % 10 === 0 ? 300_000 : n % 3 === 0 ? 60_000 : 10
      )
      const batch = sizes.map((size, n) =>
        click({
          occurred_at: new Date(occurred_at.getTime() - n),
          product_id: `p-${n}`,
          url_path: "x".repeat(size)
        })
      )
      yield* insert(...batch)
      const query = { filter: {}, limit: 100, offset: 10 }
      const page = yield* ClickStore.use((store) => store.streamPage(query))
      const chunks = yield* page.events.pipe(
        Stream.chunks,
        Stream.tap(() => reading(0)),
        Stream.runCollect
      )
      const bytes = chunks.map((chunk) =>
        chunk.reduce((sum, { url_path }) => sum + (url_path?.length ?? 0), 0)
      )
      assert.isAtMost(Math.max(...bytes), 310_000)
      assert.deepStrictEqual(chunks.flat(), batch.slice(10, 110))
      const { events: _, ...rest } = page
      const listed = yield* ClickStore.use((store) => store.list(query))
      assert.deepStrictEqual(listed, { ...rest, events: batch.slice(10, 110) })
      assert.strictEqual(page.total, 120)
      assert.isNotNull(page.next_cursor)
    })
  )
})
