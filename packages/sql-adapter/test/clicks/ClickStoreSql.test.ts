import { parseFilter } from "@clicks/core/clicks/ClickQuery"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import { suite } from "../../../core/test/contract/clicks/ClickStoreContract.ts"
import * as ClickStoreSql from "../../src/clicks/ClickStoreSql.ts"
import * as Database from "../../src/Database.ts"
import * as TestDatabase from "../TestDatabase.ts"
import { click, insert, list } from "./someClicks.ts"

suite("PostgreSQL", ClickStoreSql.layer.pipe(Layer.provide(TestDatabase.layer)))

const unstorable = {
  "a NUL character": { product_id: "a\0b" },
  "an id that is no UUID": { id: "17" },
  "a date that is none": { occurred_at: new Date(Number.NaN) },
  "a date before all dates of the database": { occurred_at: new Date(-8.64e15) },
  "an unknown device": { device_type: "fridge" },
  "an unknown action": { action: "jump" },
  "no product": { product_id: null },
  "a number for a text": { source: 17 }
}

const connected = ClickStoreSql.layer.pipe(Layer.provideMerge(TestDatabase.layer))

layer(connected, { excludeTestServices: true })("ClickStoreSql.insert", (it) => {
  it.effect.each(Object.entries(unstorable))("rejects a batch with %s and stores none of it", ([, fields]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(insert(click(), click(fields), click()))
      assert.strictEqual(error.reason, "Refused")
      assert.strictEqual((yield* list).total, 0)
    })
  )
})

const states = {
  Unavailable: [
    ...["08006", "25006", "28000", "40001", "40P01", "42501", "42P01", "53100", "53200", "53300", "55P03"],
    ...["57014", "57P01", "57P02", "57P03", "58030", "XX000"]
  ],
  Refused: ["22001", "22021", "22P02", "23502", "23505", "23514", "54000"]
}

layer(connected, { excludeTestServices: true })("ClickStoreSql.insert, when the server reports", (it) => {
  // The server fails with the SQLSTATE in the click's source.
  const failAsTold = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      create or replace function fail_as_told() returns trigger language plpgsql
      as $$ begin raise exception using errcode = new.source; end $$`
    yield* sql`create or replace trigger fail_as_told before insert on clicks for each row execute function fail_as_told()`
  })

  it.effect.each(Object.entries(states))("%s: SQLSTATE %s", ([reason, codes]) =>
    Effect.gen(function* () {
      yield* failAsTold
      for (const source of codes) {
        const error = yield* Effect.flip(insert(click({ source })))
        assert.strictEqual(error.reason, reason, source)
      }
    })
  )
})

layer(connected, { excludeTestServices: true })("the table clicks", (it) => {
  const times = [
    "infinity",
    "-infinity",
    "0001-12-31 23:59:59.999Z BC",
    "10000-01-01 00:00:00Z",
    "290000-01-01Z"
  ]

  it.effect.each(times)("rejects the time %s from other writers", (time) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* insert(click())
      for (const column of ["occurred_at", "received_at", "client_occurred_at"]) {
        const { reason } = yield* Effect.flip(sql`update clicks set ${sql(column)} = ${time}::timestamptz`)
        assert.strictEqual(reason._tag, "ConstraintError")
      }
      yield* sql`update clicks set occurred_at = '0001-01-01Z', received_at = '9999-12-31 23:59:59.999Z'`
      const { events } = yield* list
      assert.deepStrictEqual(
        events.map(({ occurred_at, received_at }) => [occurred_at.toISOString(), received_at.toISOString()]),
        [["0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"]]
      )
    })
  )
})

layer(connected, { excludeTestServices: true })("ClickStoreSql.list, of times with microseconds", (it) => {
  // In core, `before` is converted to the preceding millisecond. That is exact because the table contains only whole milliseconds.
  it.effect("filters before an instant as the listing shows it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* insert(...["59.9994", "59.9996", "60"].map((source) => click({ source })))
      yield* sql`update clicks set occurred_at = '2026-11-30 23:59:00Z'::timestamptz + make_interval(secs => source::float8)`
      const filter = Result.getOrThrow(parseFilter({ before: "2026-12-01" }))
      const { list } = yield* ClickStore
      const { events, total } = yield* list({ filter, limit: 10, offset: 0 })
      assert.deepStrictEqual([events.map(({ source }) => source), total], [["59.9994"], 1])
      const all = yield* list({ filter: {}, limit: 10, offset: 0 })
      for (const { occurred_at, source } of all.events)
        assert.strictEqual(occurred_at < new Date("2026-12-01"), source === "59.9994")
    })
  )
})

const narrow = ClickStoreSql.layer.pipe(
  Layer.provideMerge(
    Layer.unwrap(TestDatabase.TestDatabase.useSync(({ url }) => Database.layer({ url, maxConnections: 1 })))
  ),
  Layer.provide(Layer.fresh(TestDatabase.layer))
)

layer(narrow, { excludeTestServices: true })(
  "ClickStoreSql.insert, while listings hold all connections",
  (it) => {
    it.effect("stores clicks", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* Effect.scoped(Effect.andThen(sql.reserve, insert(click())))
        assert.strictEqual((yield* list).total, 1)
      })
    )
  }
)
