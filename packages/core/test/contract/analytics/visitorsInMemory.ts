import {
  type CohortQuery,
  type Cohorts,
  type CohortWeek,
  maxCohorts,
  toCohorts,
  weeksBetween
} from "@clicks/core/analytics/Cohorts"
import { slotOf, type TimeAxis } from "@clicks/core/analytics/Interval"
import { maxProducts, type PairQuery, type ProductPairs } from "@clicks/core/analytics/ProductPairs"
import type { VisitorQuery } from "@clicks/core/analytics/VisitorBuckets"
import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { type ClickFilter, matches } from "@clicks/core/clicks/ClickFilter"
import { groupedBy } from "@clicks/core/values/groupedBy"
import { compareCodePoints } from "@clicks/core/values/Text"
import { visitorOf } from "./visitor.ts"

type Clicks = ReadonlyArray<ClickEvent>

const firstClicks = (clicks: Clicks): ReadonlyMap<string, Date> => {
  const firsts = new Map<string, Date>()
  for (const click of clicks) {
    const visitor = visitorOf(click)
    if (visitor === undefined) continue
    const first = firsts.get(visitor)
    if (first === undefined || click.occurred_at < first) firsts.set(visitor, click.occurred_at)
  }
  return firsts
}

const visitorsOf = (clicks: Clicks): ReadonlyArray<string> =>
  Array.from(new Set(clicks.map(visitorOf))).filter((visitor) => visitor !== undefined)

/** New and returning visitors of each bucket that has any, and of the whole range. `all` are the clicks that determine who is new. */
export const countVisitors = (all: Clicks, { axis, filter }: VisitorQuery) => {
  const firsts = firstClicks(all)
  const found = all.filter((click) => matches(filter, click))
  const count = (clicks: Clicks, isNew: (first: Date) => boolean) => {
    const visitors = visitorsOf(clicks)
    const fresh = visitors.filter((visitor) => isNew(firsts.get(visitor) ?? new Date(0))).length
    return { visitors: visitors.length, new: fresh, returning: visitors.length - fresh }
  }
  const bySlot = groupedBy(found, ({ occurred_at }) => slotOf(occurred_at, axis))
  const { from } = filter
  return {
    rows: Array.from(bySlot, ([slot, clicks]) => ({
      bucket: new Date(slot),
      ...count(clicks, (first) => slotOf(first, axis) === slot)
    })).filter(({ visitors }) => visitors > 0),
    total: count(found, (first) => from === undefined || first >= from)
  }
}

const isInRange = (instant: Date, { from, to }: ClickFilter): boolean =>
  !(from !== undefined && instant < from) && !(to !== undefined && instant > to)

/** The latest cohorts up to the week `last`. `all` are the clicks that determine who is new. */
export const countCohorts = (all: Clicks, { filter, timeZone }: CohortQuery, last: Date): Cohorts => {
  const axis: TimeAxis = { interval: "week", timeZone }
  const found = groupedBy(
    all.filter((click) => matches(filter, click)),
    visitorOf
  )
  const members = Array.from(firstClicks(all)).filter(([, first]) => isInRange(first, filter))
  const cohorts = Array.from(groupedBy(members, ([, first]) => slotOf(first, axis)))
    .filter(([slot]) => slot <= last.getTime())
    .sort(([a], [b]) => a - b)
    .slice(-maxCohorts)
  const rows = cohorts.flatMap(([slot, visitors]): ReadonlyArray<CohortWeek> => {
    const later = visitors.flatMap(([visitor]) => {
      const slots = new Set((found.get(visitor) ?? []).map(({ occurred_at }) => slotOf(occurred_at, axis)))
      return Array.from(slots, (other) => weeksBetween(slot, other))
    })
    const counted = Array.from(groupedBy(later, (weeks) => weeks)).sort(([a], [b]) => a - b)
    const cohort = { week: new Date(slot), visitors: visitors.length }
    return counted.length === 0
      ? [{ ...cohort, later: null, returned: 0 }]
      : counted.map(([weeks, same]) => ({ ...cohort, later: weeks, returned: same.length }))
  })
  return toCohorts(rows, last)
}

/** Pairs of products among the clicks, which match the filter of the query. */
export const countPairs = (
  clicks: Clicks,
  { limit, product_id, timeZone }: Pick<PairQuery, "limit" | "product_id" | "timeZone">
): ProductPairs => {
  const day: TimeAxis = { interval: "day", timeZone }
  const known = clicks.filter((click) => visitorOf(click) !== undefined)
  const visits = groupedBy(known, (click) =>
    JSON.stringify([visitorOf(click), click.session_id ?? slotOf(click.occurred_at, day)])
  )
  const sets = Array.from(visits.values(), (members) => ({
    visitor: members[0] && visitorOf(members[0]),
    products: Array.from(new Set(members.map((click) => click.product_id))).sort(compareCodePoints)
  }))
  const whole = sets.filter(({ products }) => products.length <= maxProducts)
  const found = whole.flatMap(({ products, visitor }) =>
    products.flatMap((one, index) =>
      products
        .slice(index + 1)
        .filter((other) => product_id === undefined || product_id === one || product_id === other)
        .map((other) => ({ products: [one, other] as const, visitor }))
    )
  )
  const pairs = Array.from(
    groupedBy(found, ({ products }) => JSON.stringify(products)).values(),
    (members) => ({
      products: members[0]?.products ?? (["", ""] as const),
      visits: members.length,
      visitors: new Set(members.map(({ visitor }) => visitor)).size
    })
  ).sort(
    (a, b) =>
      b.visits - a.visits ||
      compareCodePoints(a.products[0], b.products[0]) ||
      compareCodePoints(a.products[1], b.products[1])
  )
  return { pairs: pairs.slice(0, limit), total: pairs.length, skipped: sets.length - whole.length }
}
