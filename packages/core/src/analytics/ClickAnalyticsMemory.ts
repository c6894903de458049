import { Effect, Layer, Stream } from "effect"
import type { ClickEvent } from "../clicks/ClickEvent.ts"
import type { ClickFilter } from "../clicks/ClickFilter.ts"
import { ClickStore } from "../clicks/ClickStore.ts"
import type { AnalyticsQuery } from "./AnalyticsQuery.ts"
import { ClickAnalytics, ClickAnalyticsError } from "./ClickAnalytics.ts"
import { type ClickGroup, compareGroups, compareKeys } from "./ClickGroup.ts"
import { type Count, type Funnel, type FunnelQuery, type Step, steps, toSteps } from "./Funnel.ts"
import { bucketStart } from "./Interval.ts"

/**
 * Who clicked, as far as a click tells: its `user_id`, else its `ip_address` and `user_agent` together. Undefined when it has
 * none of the three: such a click counts as a click and for no visitor.
 */
const visitor = ({
  ip_address,
  user_agent,
  user_id
}: Pick<ClickEvent, "user_id" | "ip_address" | "user_agent">): string | undefined => {
  if (user_id !== null) return JSON.stringify([user_id])
  return ip_address === null && user_agent === null ? undefined : JSON.stringify([ip_address, user_agent])
}

const count = (clicks: ReadonlyArray<ClickEvent>): Count => {
  const visitors = new Set(clicks.map(visitor).filter((name) => name !== undefined)).size
  return { clicks: clicks.length, visitors: visitors === 0 && clicks.length > 0 ? null : visitors }
}

const unidentifiedIn = (clicks: ReadonlyArray<ClickEvent>): number =>
  clicks.filter((click) => visitor(click) === undefined).length

const groupOf = ({ axis, groupBy }: AnalyticsQuery, click: ClickEvent): Omit<ClickGroup, keyof Count> => ({
  ...Object.fromEntries(groupBy.map((field) => [field, click[field]])),
  ...(axis && { bucket: bucketStart(click.occurred_at, axis) })
})

const toGroups = (query: AnalyticsQuery, clicks: ReadonlyArray<ClickEvent>) => {
  const isWhole = query.groupBy.length === 0 && query.axis === undefined
  const unidentified = unidentifiedIn(clicks)
  if (isWhole) return { groups: [count(clicks)], total: 1, unidentified }
  const groups = Map.groupBy(clicks, (click) => JSON.stringify(groupOf(query, click)))
  const counted = Array.from(groups.values(), (members): ClickGroup => {
    const [first] = members
    return { ...(first && groupOf(query, first)), ...count(members) }
  })
  return {
    groups: counted.sort(compareGroups(query)).slice(0, query.limit),
    total: counted.length,
    unidentified
  }
}

const clicksOf = (funnel: Funnel): number => funnel.steps.reduce((sum, step) => sum + step.clicks, 0)

const toFunnels = ({ groupBy, limit }: FunnelQuery, clicks: ReadonlyArray<ClickEvent>) => {
  const inFunnel = clicks.filter((click) => steps.some((step) => step === click.action))
  const funnels = Array.from(
    Map.groupBy(inFunnel, (click) => click[groupBy]),
    ([name, members]): Funnel => {
      const countStep = (step: Step) => count(members.filter((click) => click.action === step))
      return { [groupBy]: name, steps: toSteps(countStep) }
    }
  ).sort((a, b) => clicksOf(b) - clicksOf(a) || compareKeys(a[groupBy], b[groupBy]))
  return {
    group_by: groupBy,
    groups: funnels.slice(0, limit),
    total: funnels.length,
    unidentified: unidentifiedIn(inFunnel)
  }
}

const make = Effect.gen(function* () {
  const store = yield* ClickStore
  const collect = (operation: string, filter: ClickFilter) =>
    Stream.runCollect(store.stream(filter)).pipe(
      Effect.mapError((cause) => new ClickAnalyticsError({ operation, reason: "Unavailable", cause }))
    )
  return ClickAnalytics.of({
    groups: (query) => Effect.map(collect("groups", query.filter), (clicks) => toGroups(query, clicks)),
    funnel: (query) => Effect.map(collect("funnel", query.filter), (clicks) => toFunnels(query, clicks))
  })
})

/**
 * Counts by reading every click that matches from the `ClickStore`, whichever that is, into memory: for tests and for
 * embedders who begin.
 */
export const layer: Layer.Layer<ClickAnalytics, never, ClickStore> = Layer.effect(ClickAnalytics, make)
