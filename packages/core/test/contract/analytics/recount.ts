import type { AnalyticsQuery } from "@clicks/core/analytics/AnalyticsQuery"
import type { FunnelQuery } from "@clicks/core/analytics/FunnelQuery"
import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import {
  by,
  byBytes,
  clicksOf,
  collect,
  countOf,
  expectedBucket,
  type Found,
  findAll,
  minute,
  unidentifiedIn
} from "./recountParts.ts"

const actionNames = ["view", "open_store", "open_product", "compare", "other"]

const rowOf = ({ earlier, pivot, visitors }: AnalyticsQuery, found: ReadonlyArray<Found>) => {
  const counts = (clicks: ReadonlyArray<ClickEvent>) => ({
    ...countOf(clicks),
    ...(visitors ? {} : { visitors: null }),
    ...(pivot && {
      actions: Object.fromEntries(
        actionNames.map((name) => [name, clicks.filter(({ action }) => action === name).length])
      )
    })
  })
  const current = counts(clicksOf(found, false))
  if (!earlier) return current
  const previous = counts(clicksOf(found, true))
  const people =
    current.visitors === null || previous.visitors === null ? null : current.visitors - previous.visitors
  const change = {
    clicks: current.clicks - previous.clicks,
    visitors: people,
    click_rate: by(current.clicks - previous.clicks, previous.clicks),
    visitor_rate: by(people, previous.visitors)
  }
  return { ...current, previous, change }
}

const sortValue = (sort: string, found: ReadonlyArray<Found>): number => {
  const current = clicksOf(found, false)
  if (sort === "total") return current.length
  if (sort === "change") return current.length - clicksOf(found, true).length
  return current.filter(({ action }) => action === sort).length
}

const topGroups = (query: AnalyticsQuery, found: ReadonlyArray<Found>) => {
  const { groupBy, limit, ranking } = query
  const { descending, sort, without } = ranking
  const keyOrder = (a: ReadonlyArray<Found>, b: ReadonlyArray<Found>): number => {
    for (const field of groupBy) {
      const order = byBytes(a[0]?.click[field], b[0]?.click[field])
      if (order !== 0) return order
    }
    return 0
  }
  const sign = descending ? -1 : 1
  const groups = collect(found, ({ click }) => JSON.stringify(groupBy.map((field) => click[field])))
    .filter((group) => {
      const current = clicksOf(group, false)
      const isExcluded = current.some((click) => without.some((action) => action === click.action))
      return without.length === 0 || (current.length > 0 && !isExcluded)
    })
    .sort((a, b) =>
      sort === "key"
        ? sign * keyOrder(a, b)
        : sign * (sortValue(sort, a) - sortValue(sort, b)) || keyOrder(a, b)
    )
  return { groups: groups.slice(0, limit), total: groups.length, all: groups.flat() }
}

/** Every bucket from the first to the last, found by walking in steps that are shorter than any bucket. */
const walk = ({ axis, filter }: AnalyticsQuery, found: ReadonlyArray<Found>): ReadonlyArray<number> => {
  if (axis === undefined) return []
  const known = found.map(({ bucket }) => bucket)
  if (axis.interval === "hour-of-week")
    return known.length === 0 ? [] : Array.from({ length: 168 }, (_, i) => i)
  const first = filter.from?.getTime() ?? Math.min(...known)
  const last = filter.to?.getTime() ?? Math.max(...known)
  const isOpen = filter.from === undefined || filter.to === undefined
  if (isOpen && known.length === 0) return []
  const buckets = new Set(known)
  for (let at = first; at <= last; at += (axis.interval === "hour" ? 15 : 360) * minute)
    buckets.add(expectedBucket(new Date(at), axis).getTime())
  if (last >= first) buckets.add(expectedBucket(new Date(last), axis).getTime())
  return Array.from(buckets).sort((a, b) => a - b)
}

const slotFields = ({ axis }: AnalyticsQuery, bucket: number) =>
  axis?.interval === "hour-of-week"
    ? { weekday: Math.floor(bucket / 24) + 1, hour: bucket % 24 }
    : { bucket: new Date(bucket) }

/** The expected groups of a query on these clicks, from an independent recount. */
export const expectedGroups = (clicks: ReadonlyArray<ClickEvent>, query: AnalyticsQuery): unknown => {
  const { axis, earlier, groupBy, totals } = query
  const found = findAll(clicks, query)
  const top = groupBy.length > 0 ? topGroups(query, found) : { groups: [found], total: 1, all: found }
  const keysOf = (group: ReadonlyArray<Found>) =>
    Object.fromEntries(groupBy.map((field) => [field, group[0]?.click[field]]))
  const all = clicksOf(found, false).length
  const share = (group: ReadonlyArray<Found>) =>
    totals ? { share: by(clicksOf(group, false).length, all) } : {}
  const rows = axis
    ? walk(query, top.groups.flat()).flatMap((bucket) =>
        top.groups.map((group) => {
          const inside = group.filter((item) => item.bucket === bucket)
          return { ...keysOf(group), ...slotFields(query, bucket), ...rowOf(query, inside), ...share(inside) }
        })
      )
    : top.groups.map((group) => ({ ...keysOf(group), ...rowOf(query, group), ...share(group) }))
  return {
    groups: rows,
    total: axis && groupBy.length === 0 ? rows.length : top.total,
    unidentified: unidentifiedIn(clicksOf(top.all, false)),
    ...(totals && { totals: rowOf(query, found) }),
    ...(earlier && { compared: { from: earlier.from, to: earlier.to } })
  }
}

const stepsOf = (group: ReadonlyArray<ClickEvent>, visitors: boolean) => {
  const of = (action: string) => {
    const count = countOf(group.filter((click) => click.action === action))
    return visitors ? count : { ...count, visitors: null }
  }
  const [view, product, store, compare] = [of("view"), of("open_product"), of("open_store"), of("compare")]
  const branch = (action: string, count: typeof view) => ({
    action,
    ...count,
    click_rate_from_view: by(count.clicks, view.clicks),
    visitor_rate_from_view: by(count.visitors, view.visitors)
  })
  const step = (action: string, count: typeof view, before: typeof view) => ({
    ...branch(action, count),
    click_rate_from_previous: by(count.clicks, before.clicks),
    visitor_rate_from_previous: by(count.visitors, before.visitors)
  })
  return {
    steps: [
      step("view", view, { clicks: 0, visitors: 0 }),
      step("open_product", product, view),
      step("open_store", store, product)
    ],
    compare: branch("compare", compare)
  }
}

/** The expected funnels of a query on these clicks, from an independent recount. */
export const expectedFunnels = (clicks: ReadonlyArray<ClickEvent>, query: FunnelQuery): unknown => {
  const { earlier, groupBy, limit, totals, visitors } = query
  const found = findAll(clicks, query).filter(({ click }) => click.action !== "other")
  const funnelOf = (group: ReadonlyArray<Found>) => ({
    ...stepsOf(clicksOf(group, false), visitors),
    ...(earlier && { previous: stepsOf(clicksOf(group, true), visitors) })
  })
  const all = collect(found, ({ click }) => JSON.stringify(click[groupBy])).sort(
    (a, b) =>
      clicksOf(b, false).length - clicksOf(a, false).length ||
      byBytes(a[0]?.click[groupBy], b[0]?.click[groupBy])
  )
  return {
    group_by: groupBy,
    groups: all.slice(0, limit).map((group) => ({ [groupBy]: group[0]?.click[groupBy], ...funnelOf(group) })),
    total: all.length,
    unidentified: unidentifiedIn(clicksOf(found, false)),
    ...(totals && { totals: funnelOf(found) }),
    ...(earlier && { compared: { from: earlier.from, to: earlier.to } })
  }
}
