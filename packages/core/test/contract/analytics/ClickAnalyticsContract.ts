import { ClickAnalytics } from "@clicks/core/analytics/ClickAnalytics"
import { earlierPeriod } from "@clicks/core/analytics/Comparison"
import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import * as ClickStoreMemory from "@clicks/core/clicks/ClickStoreMemory"
import * as Uuid from "@clicks/core/values/Uuid"
import { assert, layer } from "@effect/vitest"
import { Arbitrary, Effect, Layer } from "effect"
import {
  arbitraryAnalyticsQuery,
  arbitraryClick,
  arbitraryClicks,
  arbitraryFunnelQuery,
  arbitraryVisitorQuery,
  everything
} from "./arbitraryAnalytics.ts"
import { at } from "./atTime.ts"
import * as ClickAnalyticsMemory from "./ClickAnalyticsMemory.ts"
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

/** The contract of every `ClickAnalytics`. The tests share one layer, whose store is empty at first. */
export const suite = <E>(name: string, analytics: Layer.Layer<ClickAnalytics | ClickStore, E>): void =>
  layer(analytics, { timeout: "60 seconds" })(`ClickAnalytics (${name})`, (it) => {
    const stored: Array<ClickEvent> = []

    it.effect("returns no groups without clicks, but always the one of an ungrouped query", () =>
      Effect.gen(function* () {
        const { cohorts, funnel, groups, pairs, visitors } = yield* ClickAnalytics
        const query = everything
        assert.deepStrictEqual(yield* groups(query), {
          groups: [{ clicks: 0, visitors: 0 }],
          total: 1,
          unidentified: 0
        })
        const none = { groups: [], total: 0, unidentified: 0 }
        const nobody = { visitors: 0, new: 0, returning: 0 }
        assert.deepStrictEqual(yield* groups({ ...query, groupBy: ["action"] }), none)
        const axis = { interval: "day", timeZone: "UTC" } as const
        assert.deepStrictEqual(yield* groups({ ...query, axis }), none)
        assert.deepStrictEqual(yield* groups({ ...query, groupBy: ["product_id"], axis }), none)
        assert.deepStrictEqual(yield* funnel({ ...query, groupBy: "product_id" }), {
          group_by: "product_id",
          ...none
        })
        assert.deepStrictEqual(yield* visitors({ ...query, axis }), { buckets: [], total: nobody })
        assert.deepStrictEqual(yield* cohorts({ ...query, timeZone: "UTC" }), { cohorts: [] })
        assert.deepStrictEqual(yield* pairs({ ...query, timeZone: "UTC" }), {
          pairs: [],
          total: 0,
          skipped: 0
        })
      })
    )

    it.effect("compares a range that has not ended with the same part of the earlier period", () =>
      Effect.gen(function* () {
        const { funnel, groups } = yield* ClickAnalytics
        const [template] = yield* Arbitrary.sampleEffect(arbitraryClick, { count: 1, seed: 1 })
        const clicks = ["09T10:00", "09T12:00", "10T10:00"].map((time) => ({
          ...(template as ClickEvent),
          id: Uuid.make(0),
          action: "view" as const,
          source: "unfinished",
          occurred_at: new Date(`2030-01-${time}Z`)
        }))
        yield* ClickStore.use((store) => store.insert(clicks))
        stored.push(...clicks)
        const range = { from: new Date("2030-01-10"), to: new Date("2030-01-10T23:59:59.999Z") }
        const query = {
          ...everything,
          filter: { ...range, source: "unfinished" },
          earlier: earlierPeriod(range, "previous", "UTC")
        }
        const countAt = Effect.fnUntraced(function* (now: string) {
          const { compared, groups: found } = yield* at(now, groups(query))
          const inFunnels = yield* at(now, funnel({ ...query, groupBy: "source" }))
          assert.deepStrictEqual(inFunnels.compared, compared)
          const steps = inFunnels.groups[0]?.previous?.steps
          assert.strictEqual(steps?.[0]?.clicks, found[0]?.previous?.clicks)
          return [found[0]?.clicks, found[0]?.previous?.clicks, compared?.to.toISOString()]
        })
        assert.deepStrictEqual(yield* countAt("2030-01-10T12:00Z"), [1, 1, "2030-01-09T11:59:59.999Z"])
        assert.deepStrictEqual(yield* countAt("2030-01-11T00:00Z"), [1, 2, "2030-01-09T23:59:59.999Z"])
      })
    )

    it.effect("reports visitors as unknown if no click identifies one, and counts them otherwise", () =>
      Effect.gen(function* () {
        const { funnel, groups } = yield* ClickAnalytics
        const [template] = yield* Arbitrary.sampleEffect(arbitraryClick, { count: 1, seed: 1 })
        const nobody = {
          visitor_id: null,
          user_id: null,
          ip_address: null,
          user_agent: null,
          source: "unknown visitors"
        }
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
        const byCampaign = yield* groups({ ...everything, filter, groupBy: ["campaign_id"] })
        assert.deepStrictEqual(byCampaign.groups, [
          { campaign_id: "none", clicks: 2, visitors: null },
          { campaign_id: "some", clicks: 2, visitors: 1 }
        ])
        const all = yield* groups({ ...everything, filter: { ...filter, campaign_id: "none" } })
        assert.deepStrictEqual(all.groups, [{ clicks: 2, visitors: null }])
        const [none] = (yield* funnel({ ...everything, filter, groupBy: "campaign_id" })).groups
        assert.deepStrictEqual(
          none?.steps.map((step) => [step.visitors, step.visitor_rate_from_view]),
          [
            [null, null],
            [0, null],
            [0, null]
          ]
        )
      })
    )

    it.effect.prop(
      "groups equal an independent recount",
      [arbitraryClicks, arbitraryAnalyticsQuery],
      ([clicks, query]) =>
        Effect.gen(function* () {
          yield* ClickStore.use((store) => store.insert(clicks))
          stored.push(...clicks)
          const { groups } = yield* ClickAnalytics
          assert.deepStrictEqual(yield* groups(query), expectedGroups(stored, query))
        }),
      { arbitrary: { runs: 80 } }
    )

    it.effect.prop(
      "funnels equal an independent recount",
      [arbitraryFunnelQuery],
      ([query]) =>
        Effect.gen(function* () {
          const { funnel } = yield* ClickAnalytics
          assert.deepStrictEqual(yield* funnel(query), expectedFunnels(stored, query))
        }),
      { arbitrary: { runs: 40 } }
    )

    it.effect.prop(
      "new visitors, cohorts and pairs equal those of the in-memory layer",
      [arbitraryVisitorQuery],
      ([{ axis, filter, limit, now, timeZone }]) =>
        Effect.gen(function* () {
          const { action: _, product_id, ...rest } = { action: "", ...filter }
          const pairQuery = { filter: rest, ...(product_id && { product_id }), timeZone, limit }
          const ask = ClickAnalytics.use(({ cohorts, pairs, visitors }) =>
            at(now, Effect.all([visitors({ filter, axis }), cohorts({ filter, timeZone }), pairs(pairQuery)]))
          )
          const expected = ClickStore.use((store) => store.insert(stored)).pipe(
            Effect.andThen(ask),
            Effect.provide(
              Layer.provideMerge(ClickAnalyticsMemory.layer, Layer.fresh(ClickStoreMemory.layer))
            )
          )
          assert.deepStrictEqual(yield* ask, yield* expected)
        }),
      { arbitrary: { runs: 10 } }
    )

    it.effect("counts new and returning visitors, cohorts and pairs of products", () =>
      Effect.gen(function* () {
        const [template] = yield* Arbitrary.sampleEffect(arbitraryClick, { count: 1, seed: 1 })
        const visit = (user_id: string | null, day: string, product_id: string) => ({
          ...(template as ClickEvent),
          id: Uuid.make(0),
          visitor_id: null,
          session_id: null,
          ip_address: null,
          user_agent: null,
          source: "returning",
          occurred_at: new Date(`${day}T12:00:00Z`),
          user_id,
          product_id
        })
        const clicks = [
          visit("anna", "2031-03-03", "p-1"),
          visit("anna", "2031-03-03", "p-2"),
          visit("anna", "2031-03-11", "p-1"),
          visit("ben", "2031-03-05", "p-2"),
          visit("ben", "2031-03-05", "p-1"),
          visit("ben", "2031-03-06", "p-1"),
          visit("carl", "2031-03-12", "p-3"),
          visit(null, "2031-03-12", "p-1")
        ]
        yield* ClickStore.use((store) => store.insert(clicks))
        stored.push(...clicks)
        const { cohorts, pairs, visitors } = yield* ClickAnalytics
        const range = { from: new Date("2031-03-03T00:00:00Z"), to: new Date("2031-03-16T23:59:59.999Z") }
        const filter = { ...range, source: "returning" }
        const weeks = yield* visitors({ filter, axis: { interval: "week", timeZone: "UTC" } })
        const monday = [new Date("2031-03-03T00:00:00Z"), new Date("2031-03-10T00:00:00Z")] as const
        assert.deepStrictEqual(weeks, {
          buckets: [
            { bucket: monday[0], visitors: 2, new: 2, returning: 0 },
            { bucket: monday[1], visitors: 2, new: 1, returning: 1 }
          ],
          total: { visitors: 3, new: 3, returning: 0 }
        })
        const lateWeek = yield* visitors({
          filter: { ...filter, from: monday[1] },
          axis: { interval: "day", timeZone: "UTC" }
        })
        assert.deepStrictEqual(lateWeek.total, { visitors: 2, new: 1, returning: 1 })
        assert.deepStrictEqual(
          lateWeek.buckets.map((bucket) => bucket.visitors),
          [0, 1, 1, 0, 0, 0, 0]
        )
        assert.deepStrictEqual(yield* at("2031-03-17T00:00Z", cohorts({ filter, timeZone: "UTC" })), {
          cohorts: [
            { week: monday[0], visitors: 2, returned: [2, 1] },
            { week: monday[1], visitors: 1, returned: [1] }
          ]
        })
        assert.deepStrictEqual(yield* pairs({ filter, timeZone: "UTC", limit: 10 }), {
          pairs: [{ products: ["p-1", "p-2"], visits: 2, visitors: 2 }],
          total: 1,
          skipped: 0
        })
        const other = yield* pairs({ filter, product_id: "p-3", timeZone: "UTC", limit: 10 })
        assert.deepStrictEqual(other.pairs, [])
        const crowd = Array.from({ length: 51 }, (_, index) => visit("bot", "2031-03-13", `q-${index}`))
        yield* ClickStore.use((store) => store.insert(crowd))
        stored.push(...crowd)
        assert.deepInclude(yield* pairs({ filter, timeZone: "UTC", limit: 10 }), { total: 1, skipped: 1 })

        // A session continues after midnight, ends within a day, and belongs to one visitor.
        const inSession = (user_id: string, session_id: string, day: string, product_id: string) => ({
          ...visit(user_id, day, product_id),
          source: "sessions",
          session_id
        })
        const sessions = [
          inSession("dora", "s-1", "2031-03-08", "p-1"),
          inSession("dora", "s-1", "2031-03-09", "p-2"),
          inSession("dora", "s-2", "2031-03-09", "p-3"),
          inSession("emil", "s-1", "2031-03-09", "p-4"),
          { ...inSession("dora", "", "2031-03-09", "p-5"), session_id: null }
        ]
        yield* ClickStore.use((store) => store.insert(sessions))
        stored.push(...sessions)
        assert.deepStrictEqual(yield* pairs({ filter: { source: "sessions" }, timeZone: "UTC", limit: 10 }), {
          pairs: [{ products: ["p-1", "p-2"], visits: 1, visitors: 1 }],
          total: 1,
          skipped: 0
        })
      })
    )

    it.effect("omits cohorts and later weeks that have not begun, and weeks after a year", () =>
      Effect.gen(function* () {
        const [template] = yield* Arbitrary.sampleEffect(arbitraryClick, { count: 1, seed: 1 })
        const visit = (user_id: string, instant: Date | string) => ({
          ...(template as ClickEvent),
          id: Uuid.make(0),
          visitor_id: null,
          source: "absurd",
          occurred_at: new Date(instant),
          user_id
        })
        const timeZone = "Europe/Berlin"
        const nextMonday = Date.parse("2032-03-28T22:00:00Z")
        const clicks = [
          visit("ancient", "0001-01-01T12:00:00Z"),
          visit("ancient", "2032-03-23T12:00:00Z"),
          visit("ancient", "9999-12-30T12:00:00Z"),
          visit("irma", "2032-03-17T12:00:00Z"),
          visit("irma", "2032-03-23T12:00:00Z"),
          visit("irma", "2032-03-30T12:00:00Z"),
          visit("irma", "9999-12-30T12:00:00Z"),
          ...Array.from({ length: 53 }, (_, index) =>
            visit(`future-${index}`, new Date(nextMonday + index * 7 * 24 * 60 * minute))
          )
        ]
        yield* ClickStore.use((store) => store.insert(clicks))
        stored.push(...clicks)
        const { cohorts } = yield* ClickAnalytics
        const ask = (filter: ClickFilter, now: string) => at(now, cohorts({ filter, timeZone }))
        const filter = { source: "absurd" }
        const open = yield* ask(filter, "2032-03-28T21:59:59Z")
        assert.deepStrictEqual(open.cohorts.at(-1), {
          week: new Date("2032-03-14T23:00:00Z"),
          visitors: 1,
          returned: [1, 1]
        })
        const next = yield* ask(filter, "2032-03-28T22:00:00Z")
        assert.deepStrictEqual(
          next.cohorts.slice(-2).map(({ returned }) => returned),
          [[1, 1, 1], [1]]
        )
        const ancient = yield* ask({ ...filter, to: new Date("0002-01-01T00:00:00Z") }, "2032-03-28T22:00Z")
        assert.deepStrictEqual(
          ancient.cohorts.map(({ returned, visitors }) => [visitors, returned]),
          [[1, [1]]]
        )
      })
    )

    it.effect("rejects a result of more than 20,000 rows", () =>
      Effect.gen(function* () {
        const { groups, visitors } = yield* ClickAnalytics
        const filter = { from: new Date("2020-01-01T00:00:00Z"), to: new Date("2023-01-01T00:00:00Z") }
        const axis = { interval: "hour", timeZone: "UTC" } as const
        const errors = yield* Effect.all([
          Effect.flip(groups({ ...everything, filter, axis })),
          Effect.flip(visitors({ filter, axis }))
        ])
        for (const error of errors) assert.deepInclude(error, { reason: "TooManyRows", isRetryable: false })
      })
    )

    it.effect("cuts buckets by local time around every clock change", () =>
      Effect.gen(function* () {
        const { groups } = yield* ClickAnalytics
        for (const [timeZone, changes] of Object.entries(clockChanges)) {
          const clicks = aroundClockChanges(timeZone, changes)
          yield* ClickStore.use((store) => store.insert(clicks))
          // A result by hour over years of changes would have too many rows.
          for (const interval of ["day", "week", "month", "hour-of-week"] as const) {
            const filter = { source: timeZone }
            const query = { ...everything, filter, axis: { interval, timeZone } }
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
