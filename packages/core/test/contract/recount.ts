import type { AnalyticsQuery } from "@clicks/core/analytics/AnalyticsQuery"
import type { FunnelQuery } from "@clicks/core/analytics/Funnel"
import type { TimeAxis } from "@clicks/core/analytics/Interval"
import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"

const minute = 60_000
const formats = new Map<string, Intl.DateTimeFormat>()

/** What a clock and a calendar on the wall show there: `2026-11-20 09:05:03`. */
const shown = (millis: number, timeZone: string): string => {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" })
  formats.set(timeZone, format)
  return format.format(millis)
}

const dateShown = (millis: number, timeZone: string): string => shown(millis, timeZone).slice(0, 10)

const firstInstants = new Map<string, Date>()

/** Walks towards a date until the calendar shows it, by half hours and then back by minutes. */
const firstInstantOf = (date: string, timeZone: string): Date => {
  const known = firstInstants.get(date + timeZone)
  if (known !== undefined) return known
  let instant = Date.parse(date) - 16 * 60 * minute
  while (dateShown(instant, timeZone) < date) instant += 30 * minute
  while (dateShown(instant - minute, timeZone) === date) instant -= minute
  const found = new Date(instant)
  firstInstants.set(date + timeZone, found)
  return found
}

const monday = (date: string): string => {
  const day = new Date(date)
  while (day.getUTCDay() !== 1) day.setTime(day.getTime() - 24 * 60 * minute)
  return day.toISOString().slice(0, 10)
}

const expectedBucket = (instant: Date, { interval, timeZone }: TimeAxis): Date => {
  const millis = instant.getTime()
  const date = dateShown(millis, timeZone)
  switch (interval) {
    case "hour": {
      const [, minutes, seconds] = shown(millis, timeZone).slice(11).split(":").map(Number)
      return new Date(Math.floor(millis / 1000) * 1000 - (minutes ?? 0) * minute - (seconds ?? 0) * 1000)
    }
    case "day":
      return firstInstantOf(date, timeZone)
    case "week":
      return firstInstantOf(monday(date), timeZone)
    case "month":
      return firstInstantOf(`${date.slice(0, 8)}01`, timeZone)
  }
}

const isMeant = (filter: AnalyticsQuery["filter"], click: ClickEvent): boolean => {
  const { from, to, ...equal } = filter
  if (
    Object.entries(equal).some(([name, value]) =>
      Object.entries(click).every(([n, v]) => n !== name || v !== value)
    )
  )
    return false
  return (
    !(from && click.occurred_at.getTime() < from.getTime()) &&
    !(to && click.occurred_at.getTime() > to.getTime())
  )
}

const identityOf = (click: ClickEvent): string =>
  click.user_id === null ? `${click.ip_address} | ${click.user_agent}` : `user ${click.user_id}`

const unidentifiedIn = (clicks: ReadonlyArray<ClickEvent>): number =>
  clicks.filter((click) => identityOf(click) === "null | null").length

const countOf = (clicks: ReadonlyArray<ClickEvent>) => {
  const identities = new Set(clicks.map(identityOf))
  identities.delete("null | null")
  const isUnknown = clicks.length > 0 && identities.size === 0
  return { clicks: clicks.length, visitors: isUnknown ? null : identities.size }
}

const bytes = new TextEncoder()
const last = "\u{10ffff}".repeat(9)
const byBytes = (a: unknown, b: unknown): number =>
  Buffer.compare(bytes.encode(String(a ?? last)), bytes.encode(String(b ?? last)))

const collect = <T>(items: ReadonlyArray<T>, nameOf: (item: T) => string): Array<Array<T>> => {
  const groups = new Map<string, Array<T>>()
  for (const item of items) groups.set(nameOf(item), [...(groups.get(nameOf(item)) ?? []), item])
  return Array.from(groups.values())
}

/** The groups that a query must find among these clicks, counted by hand. */
export const expectedGroups = (
  clicks: ReadonlyArray<ClickEvent>,
  { axis, filter, groupBy, limit }: AnalyticsQuery
) => {
  const meant = clicks.filter((click) => isMeant(filter, click))
  const keysOf = (click: ClickEvent) => groupBy.map((field) => [field, click[field]] as const)
  const bucketOf = (click: ClickEvent) => (axis ? { bucket: expectedBucket(click.occurred_at, axis) } : {})
  const members =
    groupBy.length > 0 || axis
      ? collect(meant, (click) => JSON.stringify([keysOf(click), bucketOf(click)]))
      : [meant]
  const groups = members.map((group) => ({
    ...Object.fromEntries(group[0] ? keysOf(group[0]) : []),
    ...(group[0] ? bucketOf(group[0]) : {}),
    ...countOf(group)
  }))
  const value = (group: object, field: string): unknown =>
    Object.entries(group).find(([name]) => name === field)?.[1]
  groups.sort((a, b) => {
    const buckets = Number(value(a, "bucket") ?? 0) - Number(value(b, "bucket") ?? 0)
    if (buckets !== 0) return buckets
    if (a.clicks !== b.clicks) return b.clicks - a.clicks
    for (const field of groupBy) {
      const order = byBytes(value(a, field), value(b, field))
      if (order !== 0) return order
    }
    return 0
  })
  return { groups: groups.slice(0, limit), total: groups.length, unidentified: unidentifiedIn(meant) }
}

/** The funnels that a query must find among these clicks, counted by hand. */
export const expectedFunnels = (
  clicks: ReadonlyArray<ClickEvent>,
  { filter, groupBy, limit }: FunnelQuery
): unknown => {
  const meant = clicks.filter((click) => isMeant(filter, click) && click.action !== "other")
  const all = collect(meant, (click) => JSON.stringify(click[groupBy]))
    .sort((a, b) => b.length - a.length || byBytes(a[0]?.[groupBy], b[0]?.[groupBy]))
    .map((group) => {
      const of = (action: string) => countOf(group.filter((click) => click.action === action))
      const [view, compare, product, store] = [
        of("view"),
        of("compare"),
        of("open_product"),
        of("open_store")
      ]
      const by = (part: number | null, whole: number | null) =>
        part === null || whole === null || whole === 0 ? null : part / whole
      const step = (action: string, count: typeof view, before: typeof view) => ({
        action,
        ...count,
        click_rate_from_view: by(count.clicks, view.clicks),
        click_rate_from_previous: by(count.clicks, before.clicks),
        visitor_rate_from_view: by(count.visitors, view.visitors),
        visitor_rate_from_previous: by(count.visitors, before.visitors)
      })
      return {
        [groupBy]: group[0]?.[groupBy],
        steps: [
          step("view", view, { clicks: 0, visitors: 0 }),
          step("compare", compare, view),
          step("open_product", product, compare),
          step("open_store", store, product)
        ]
      }
    })
  return {
    group_by: groupBy,
    groups: all.slice(0, limit),
    total: all.length,
    unidentified: unidentifiedIn(meant)
  }
}
