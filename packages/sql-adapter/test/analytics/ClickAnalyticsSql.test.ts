import { ClickAnalytics } from "@clicks/core/analytics/ClickAnalytics"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import { everything } from "../../../core/test/contract/analytics/arbitraryAnalytics.ts"
import { suite } from "../../../core/test/contract/analytics/ClickAnalyticsContract.ts"
import * as ClickAnalyticsSql from "../../src/analytics/ClickAnalyticsSql.ts"
import * as ClickRollup from "../../src/clicks/ClickRollup.ts"
import * as ClickStoreSql from "../../src/clicks/ClickStoreSql.ts"
import * as Database from "../../src/Database.ts"
import * as TestDatabase from "../TestDatabase.ts"

/** A store in which every second batch is counted immediately, so that results combine counted and uncounted clicks. */
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
