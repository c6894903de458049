import { ClickAnalytics } from "@clicks/core/analytics/ClickAnalytics"
import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import { parseTimeZone } from "@clicks/core/values/TimeZone"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { arbitraryClick, everything } from "../../../core/test/contract/analytics/arbitraryAnalytics.ts"
import { suite } from "../../../core/test/contract/analytics/ClickAnalyticsContract.ts"
import * as ClickAnalyticsSql from "../../src/analytics/ClickAnalyticsSql.ts"
import * as ClickRollup from "../../src/clicks/ClickRollup.ts"
import * as ClickStoreSql from "../../src/clicks/ClickStoreSql.ts"
import * as Database from "../../src/Database.ts"
import * as TestDatabase from "../TestDatabase.ts"

/** A store in which every second batch is counted at once, so that answers add counted and uncounted clicks. */
const countingStore = Layer.effect(
  ClickStore,
  Effect.gen(function* () {
    const store = yield* ClickStore
    const services = yield* Effect.context<SqlClient.SqlClient>()
    let batches = 0
    const count = ClickRollup.rollUp().pipe(
      Effect.repeat({ until: (rows) => rows === 0 }),
      Effect.provideContext(services),
      Effect.orDie
    )
    return ClickStore.of({
      ...store,
      insert: (batch) => Effect.tap(store.insert(batch), () => (batches++ % 2 === 0 ? count : Effect.void))
    })
  })
).pipe(Layer.provide(ClickStoreSql.layer))

suite(
  "PostgreSQL",
  Layer.merge(ClickAnalyticsSql.layer, countingStore).pipe(Layer.provide(TestDatabase.layer))
)

describe("ClickAnalyticsSql", () => {
  it.layer(
    Layer.merge(ClickAnalyticsSql.layer, ClickStoreSql.layer).pipe(Layer.provideMerge(TestDatabase.layer))
  )((it) => {
    it.effect("accepts every time zone of this runtime", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql<{ readonly name: string }>`select name from pg_timezone_names`
        const known = new Set(rows.map((row) => row.name))
        const zones = Intl.supportedValuesOf("timeZone").map(parseTimeZone)
        assert.isAbove(zones.length, 400)
        assert.deepStrictEqual(
          zones.filter((zone) => zone === undefined || !known.has(zone)),
          []
        )
      })
    )

    it.effect("fails with its own error for a time zone unknown to the server", () =>
      Effect.gen(function* () {
        const [click] = yield* Arbitrary.sampleEffect(arbitraryClick, { count: 1 })
        const visit = { ...(click as ClickEvent), user_id: "1", session_id: null }
        yield* ClickStore.use((store) => store.insert([visit]))
        const { pairs } = yield* ClickAnalytics
        const error = yield* Effect.flip(pairs({ filter: {}, timeZone: "Mars/Olympus", limit: 1 }))
        assert.deepInclude(error, { reason: "UnknownTimeZone", isRetryable: false })
      })
    )
  })

  it.layer(
    ClickAnalyticsSql.layer.pipe(
      Layer.provide(Database.layer({ url: Redacted.make("postgres://nobody@127.0.0.1:1/none") }))
    )
  )((it) => {
    it.effect("fails with a retryable error while the database is down", () =>
      Effect.gen(function* () {
        const { funnel, groups } = yield* ClickAnalytics
        const errors = yield* Effect.all([
          Effect.flip(groups(everything)),
          Effect.flip(funnel({ ...everything, groupBy: "product_id" }))
        ])
        for (const error of errors) assert.deepInclude(error, { reason: "Unavailable", isRetryable: true })
      })
    )
  })
})
