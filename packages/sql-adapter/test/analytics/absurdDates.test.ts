import { ClickAnalytics } from "@clicks/core/analytics/ClickAnalytics"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { vi } from "vitest"
import { everything } from "../../../core/test/contract/analytics/arbitraryAnalytics.ts"
import { plainClick } from "../../../core/test/contract/clicks/plainClick.ts"
import * as ClickAnalyticsSql from "../../src/analytics/ClickAnalyticsSql.ts"
import * as ClickStoreSql from "../../src/clicks/ClickStoreSql.ts"
import * as TestDatabase from "../TestDatabase.ts"

const storage = Layer.merge(ClickAnalyticsSql.layer, ClickStoreSql.layer).pipe(
  Layer.provide(TestDatabase.layer)
)

layer(storage, { excludeTestServices: true })("clicks in the years 1 and 9999", (it) => {
  it.effect("cost no more lookups of the time zone than others", () =>
    Effect.gen(function* () {
      const days = ["0001-01-01", "2024-11-20", "2024-11-27", "9999-12-30"]
      const clicks = days.map((day, index) =>
        plainClick({ user_id: `u-${index}`, occurred_at: new Date(`${day}T12:00Z`) })
      )
      yield* ClickStore.use((store) => store.insert(clicks))
      const analytics = yield* ClickAnalytics
      const timeZone = "Europe/Berlin"
      const filter = {}
      const lookups = vi.spyOn(Intl.DateTimeFormat.prototype, "formatToParts")
      yield* Effect.addFinalizer(() => Effect.sync(() => lookups.mockRestore()))
      yield* analytics.cohorts({ filter, timeZone })
      const hours = { ...everything, axis: { interval: "hour-of-week", timeZone } } as const
      yield* analytics.groups(hours)
      const axis = { interval: "day", timeZone } as const
      const refusals = yield* Effect.all([
        Effect.flip(analytics.visitors({ filter, axis })),
        Effect.flip(analytics.groups({ ...everything, axis }))
      ])
      for (const error of refusals) assert.propertyVal(error, "reason", "TooManyRows")
      assert.isBelow(lookups.mock.calls.length, 1000)
    })
  )
})
