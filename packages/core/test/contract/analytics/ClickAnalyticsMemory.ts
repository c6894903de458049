import { ClickAnalytics } from "@clicks/core/analytics/ClickAnalytics"
import { ClickAnalyticsError } from "@clicks/core/analytics/ClickAnalyticsError"
import type { CountRequest } from "@clicks/core/analytics/ClickCounts"
import { currentWeek } from "@clicks/core/analytics/Cohorts"
import { countFunnels } from "@clicks/core/analytics/countFunnels"
import { countGroups } from "@clicks/core/analytics/countGroups"
import { toVisitorBuckets } from "@clicks/core/analytics/VisitorBuckets"
import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import { Effect, Layer, Stream } from "effect"
import { countInMemory } from "./countInMemory.ts"
import { countCohorts, countPairs, countVisitors } from "./visitorsInMemory.ts"

/** Counts the clicks of this store. */
export const make = (store: Pick<ClickStore["Service"], "stream">): ClickAnalytics["Service"] => {
  const collect = (operation: string, filter: ClickFilter) =>
    Stream.runCollect(store.stream(filter)).pipe(
      Effect.mapError((cause) => {
        const reason = cause.reason === "HistoryUnavailable" ? cause.reason : "Unavailable"
        return new ClickAnalyticsError({ operation, reason, cause })
      })
    )

  const countRows = (operation: string) =>
    Effect.fnUntraced(function* (request: CountRequest) {
      const { earlier, filter } = request
      const current = yield* collect(operation, filter)
      const previous = earlier
        ? yield* collect(operation, { ...filter, from: earlier.from, to: earlier.to })
        : []
      return countInMemory(request, current, previous)
    })

  return ClickAnalytics.of({
    groups: (query) => countGroups(query, countRows("groups")),
    funnel: (query) => countFunnels(query, countRows("funnel")),
    visitors: (query) =>
      toVisitorBuckets(
        query,
        Effect.map(collect("visitors", {}), (clicks) => countVisitors(clicks, query))
      ),
    cohorts: (query) =>
      Effect.zipWith(collect("cohorts", {}), currentWeek(query), (clicks, last) =>
        countCohorts(clicks, query, last)
      ),
    pairs: (query) => Effect.map(collect("pairs", query.filter), (clicks) => countPairs(clicks, query))
  })
}

/** Reads all matching clicks from the `ClickStore` into memory to count them. For tests and prototypes. */
export const layer: Layer.Layer<ClickAnalytics, never, ClickStore> = Layer.effect(
  ClickAnalytics,
  Effect.map(ClickStore, make)
)
