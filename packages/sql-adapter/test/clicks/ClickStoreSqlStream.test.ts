import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import * as ClickStoreSql from "../../src/clicks/ClickStoreSql.ts"
import * as Database from "../../src/Database.ts"
import * as TestDatabase from "../TestDatabase.ts"
import { click, insert, list, stream } from "./someClicks.ts"

const connected = ClickStoreSql.layer.pipe(Layer.provideMerge(TestDatabase.layer))

const backends = Effect.fnUntraced(function* (state: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly wait: string | null }>`
    select wait_event as wait from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and state like ${state}
      and pid <> pg_backend_pid()`
  return rows.map((row) => row.wait)
})

const reading = (count: number) =>
  Effect.repeat(backends("active"), {
    until: (waits) => waits.filter((wait) => wait === "ClientWrite").length === count
  })

/** Runs the effect when the first click has come, before the next one is asked for. */
const onFirst = <E, R>(effect: Effect.Effect<unknown, E, R>) => {
  let isFirst = true
  return Stream.tap(() => {
    const run = isFirst ? effect : Effect.void
    isFirst = false
    return run
  })
}

layer(connected, { excludeTestServices: true })("ClickStoreSql.stream", (it) => {
  // 20 MB: more than the sockets between the two hold, so that the server has to wait for the reader.
  const fill = Effect.forEach(Array.from({ length: 20 }), () =>
    insert(...Array.from({ length: 1000 }, () => click()))
  )
  const stuck = stream.pipe(
    Stream.tap(() => Effect.never),
    Stream.runDrain
  )

  it.effect("lets the server wait for a slow reader instead of holding the rows in memory", () =>
    Effect.gen(function* () {
      yield* fill
      const reader = yield* Effect.forkChild(stuck)
      yield* reading(1)
      yield* Fiber.interrupt(reader)
      // The server notices a moment later than the reader leaves.
      yield* Effect.repeat(backends("active"), { until: (waits) => waits.length === 0 })
      yield* Effect.repeat(backends("idle in transaction%"), { until: (waits) => waits.length === 0 })
    })
  )

  it.effect("leaves connections for listings, however many read", () =>
    Effect.gen(function* () {
      const readers = yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.forkChild(stuck))
      yield* reading(3)
      const { total } = yield* list
      yield* Effect.all(readers.map(Fiber.interrupt), { concurrency: "unbounded" })
      assert.strictEqual(yield* Stream.runCount(stream), total)
    })
  )

  it.effect("is not cut off by the time a statement may take", () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase.TestDatabase
      const hasty = ClickStoreSql.layer.pipe(
        Layer.provide(Database.layer({ url, statementTimeout: "1 second" }))
      )
      const sql = yield* SqlClient.SqlClient
      const longest = sql<{ readonly takes_longer: boolean | null }>`
        select bool_or(clock_timestamp() - query_start > interval '1200 ms') as takes_longer from pg_stat_activity
        where datname = current_database() and wait_event = 'ClientWrite'`
      const count = yield* stream.pipe(
        onFirst(Effect.repeat(longest, { until: ([row]) => row?.takes_longer === true })),
        Stream.runCount,
        Effect.provide(hasty, { local: true })
      )
      assert.strictEqual(count, (yield* list).total)
    })
  )

  it.effect("that is cut off in the middle fails as unavailable", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const cut = sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event = 'ClientWrite'`
      const reader = stream.pipe(
        onFirst(Effect.repeat(cut, { until: (pids) => pids.length === 1 })),
        Stream.runDrain
      )
      assert.strictEqual((yield* Effect.flip(reader)).reason, "Unavailable")
      yield* list
    })
  )
})
