import { ArchiveAnalytics } from "@clicks/core/analytics/ArchiveAnalytics"
import { ClickAnalytics } from "@clicks/core/analytics/ClickAnalytics"
import { ClickAnalyticsError, tooManyRows } from "@clicks/core/analytics/ClickAnalyticsError"
import { currentWeek, toCohorts } from "@clicks/core/analytics/Cohorts"
import { countFunnels } from "@clicks/core/analytics/countFunnels"
import { countGroups } from "@clicks/core/analytics/countGroups"
import type { Axis } from "@clicks/core/analytics/Interval"
import { toVisitorBuckets } from "@clicks/core/analytics/VisitorBuckets"
import { Effect, Layer } from "effect"
import { ClickHouse, ClickHouseError } from "../ClickHouse.ts"
import { always } from "../clicks/instants.ts"
import type { Clicks } from "./countedClicks.ts"
import { countRows } from "./countRows.ts"
import { daysOf } from "./daysOf.ts"
import { currentSlots, evenSlots } from "./timeSlots.ts"
import { countCohorts, countPairs, countVisitors } from "./visitorRows.ts"

const failsAs =
  (operation: string) =>
  <A>(
    effect: Effect.Effect<A, ClickHouseError | ClickAnalyticsError>
  ): Effect.Effect<A, ClickAnalyticsError> =>
    effect.pipe(
      Effect.mapError((cause) =>
        cause instanceof ClickHouseError
          ? new ClickAnalyticsError({ operation, reason: "HistoryUnavailable", cause })
          : cause
      ),
      Effect.withSpan(`ArchiveAnalytics.${operation}`)
    )

const over = (clickHouse: ClickHouse["Service"], clicks: Clicks): ClickAnalytics["Service"] => {
  const count = (operation: string) => (request: Parameters<ReturnType<typeof countRows>>[0]) =>
    failsAs(operation)(countRows(clickHouse, clicks)(request))

  /** The slots of all clicks, whatever their time. */
  const slots = Effect.fnUntraced(function* (operation: string, axis: Axis) {
    const even = evenSlots(axis)
    if (even !== undefined) return even.slot
    const days = yield* daysOf(clickHouse, clicks, [always])
    if (days === undefined) return yield* tooManyRows(operation)
    return currentSlots(days, axis).slot
  })

  return ClickAnalytics.of({
    groups: (query) => countGroups(query, count("groups")),
    funnel: (query) => countFunnels(query, count("funnel")),
    visitors: (query) =>
      toVisitorBuckets(
        query,
        failsAs("visitors")(
          Effect.gen(function* () {
            const slotOf = yield* slots("visitors", query.axis)
            return yield* countVisitors(clickHouse, clicks, query, slotOf)
          })
        )
      ),
    cohorts: (query) =>
      failsAs("cohorts")(
        Effect.gen(function* () {
          const slotOf = yield* slots("cohorts", { interval: "week", timeZone: query.timeZone })
          const last = yield* currentWeek(query)
          return toCohorts(yield* countCohorts(clickHouse, clicks, query, last, slotOf), last)
        })
      ),
    pairs: (query) =>
      failsAs("pairs")(
        Effect.gen(function* () {
          const slotOf = yield* slots("pairs", { interval: "day", timeZone: query.timeZone })
          return yield* countPairs(clickHouse, clicks, query, slotOf)
        })
      )
  })
}

/** Counts the archive's clicks together with the hot ones, which become part of the statement. */
export const layer: Layer.Layer<ArchiveAnalytics, never, ClickHouse> = Layer.effect(
  ArchiveAnalytics,
  Effect.map(ClickHouse, (clickHouse) =>
    ArchiveAnalytics.of({
      over: (cut, hot) => over(clickHouse, { table: clickHouse.table, cut, hot })
    })
  )
)
