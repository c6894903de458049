import { ClickAnalytics } from "@clicks/core/analytics/ClickAnalytics"
import { Interval } from "@clicks/core/analytics/Interval"
import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import * as Uuid from "@clicks/core/values/Uuid"
import { assert, layer } from "@effect/vitest"
import { Arbitrary, Effect, type Layer } from "effect"
import {
  arbitraryAnalyticsQuery,
  arbitraryClick,
  arbitraryClicks,
  arbitraryFunnelQuery
} from "./arbitraryAnalytics.ts"
import { clockChanges } from "./clockChanges.ts"
import { expectedFunnels, expectedGroups } from "./recount.ts"

const minute = 60_000

/** A click about every half hour, from 26 hours before each change of a zone's clocks to 26 hours after it. */
const aroundClockChanges = (timeZone: string, changes: ReadonlyArray<string>): ReadonlyArray<ClickEvent> => {
  const [template] = Effect.runSync(Arbitrary.sampleEffect(arbitraryClick, { count: 1, seed: 1 }))
  if (template === undefined) throw new Error("no click was generated")
  return changes.flatMap((change) =>
    Array.from({ length: 105 }, (_, index) => {
      const occurred_at = new Date(Date.parse(change) + ((index - 52) * 30 + (index % 3)) * minute)
      return { ...template, id: Uuid.make(0), source: timeZone, occurred_at }
    })
  )
}

/** What every `ClickAnalytics` keeps to. The layer's store is empty at first and is shared by the tests of the suite. */
export const suite = <E>(name: string, analytics: Layer.Layer<ClickAnalytics | ClickStore, E>): void =>
  layer(analytics, { timeout: "60 seconds" })(`ClickAnalytics (${name})`, (it) => {
    const stored: Array<ClickEvent> = []

    it.effect("returns no groups without clicks, but always the one of an ungrouped query", () =>
      Effect.gen(function* () {
        const { funnel, groups } = yield* ClickAnalytics
        const query = { filter: {}, groupBy: [], limit: 10 }
        assert.deepStrictEqual(yield* groups(query), {
          groups: [{ clicks: 0, visitors: 0 }],
          total: 1,
          unidentified: 0
        })
        const none = { groups: [], total: 0, unidentified: 0 }
        assert.deepStrictEqual(yield* groups({ ...query, groupBy: ["action"] }), none)
        const axis = { interval: "day", timeZone: "UTC" } as const
        assert.deepStrictEqual(yield* groups({ ...query, axis }), none)
        assert.deepStrictEqual(yield* funnel({ ...query, groupBy: "product_id" }), {
          group_by: "product_id",
          ...none
        })
      })
    )

    it.effect("reports visitors as unknown if no click identifies one, and counts them otherwise", () =>
      Effect.gen(function* () {
        const { funnel, groups } = yield* ClickAnalytics
        const [template] = yield* Arbitrary.sampleEffect(arbitraryClick, { count: 1, seed: 1 })
        const nobody = { user_id: null, ip_address: null, user_agent: null, source: "unknown visitors" }
        const clicks = (
          [
            { action: "view", campaign_id: "none" },
            { action: "compare", campaign_id: "none" },
            { action: "view", campaign_id: "some" },
            { action: "view", campaign_id: "some", user_id: "u-1" }
          ] as const
        ).map((fields) => ({ ...(template as ClickEvent), ...nobody, ...fields, id: Uuid.make(0) }))
        yield* ClickStore.use((store) => store.insert(clicks))
        stored.push(...clicks)
        const filter = { source: nobody.source }
        const byCampaign = yield* groups({ filter, groupBy: ["campaign_id"], limit: 10 })
        assert.deepStrictEqual(byCampaign.groups, [
          { campaign_id: "none", clicks: 2, visitors: null },
          { campaign_id: "some", clicks: 2, visitors: 1 }
        ])
        const all = yield* groups({ filter: { ...filter, campaign_id: "none" }, groupBy: [], limit: 10 })
        assert.deepStrictEqual(all.groups, [{ clicks: 2, visitors: null }])
        const [none] = (yield* funnel({ filter, groupBy: "campaign_id", limit: 10 })).groups
        assert.deepStrictEqual(
          none?.steps.map((step) => [step.visitors, step.visitor_rate_from_view]),
          [
            [null, null],
            [null, null],
            [0, null],
            [0, null]
          ]
        )
      })
    )

    it.effect.prop(
      "groups are those of a recount by hand",
      [arbitraryClicks, arbitraryAnalyticsQuery],
      ([clicks, query]) =>
        Effect.gen(function* () {
          yield* ClickStore.use((store) => store.insert(clicks))
          stored.push(...clicks)
          const { groups } = yield* ClickAnalytics
          assert.deepStrictEqual(yield* groups(query), expectedGroups(stored, query))
        }),
      { arbitrary: { runs: 150 } }
    )

    it.effect.prop(
      "funnels are those of a recount by hand",
      [arbitraryFunnelQuery],
      ([query]) =>
        Effect.gen(function* () {
          const { funnel } = yield* ClickAnalytics
          assert.deepStrictEqual(yield* funnel(query), expectedFunnels(stored, query))
        }),
      { arbitrary: { runs: 60 } }
    )

    it.effect("cuts buckets by local time around every clock change", () =>
      Effect.gen(function* () {
        const { groups } = yield* ClickAnalytics
        for (const [timeZone, changes] of Object.entries(clockChanges)) {
          const clicks = aroundClockChanges(timeZone, changes)
          yield* ClickStore.use((store) => store.insert(clicks))
          for (const interval of Interval.literals) {
            const filter = { source: timeZone }
            const query = { filter, groupBy: [], axis: { interval, timeZone }, limit: 10_000 }
            assert.deepStrictEqual(
              yield* groups(query),
              expectedGroups(clicks, query),
              `${interval} ${timeZone}`
            )
          }
        }
      })
    )
  })
