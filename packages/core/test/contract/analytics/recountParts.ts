import type { AnalyticsQuery } from "@clicks/core/analytics/AnalyticsQuery"
import type { EarlierPeriod } from "@clicks/core/analytics/Comparison"
import type { Axis } from "@clicks/core/analytics/Interval"
import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"

export const minute = 60_000
const formats = new Map<string, Intl.DateTimeFormat>()

/** The local date and time there: `2026-11-20 09:05:03`. */
const shown = (millis: number, timeZone: string): string => {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" })
  formats.set(timeZone, format)
  return format.format(millis)
}

const dateShown = (millis: number, timeZone: string): string => shown(millis, timeZone).slice(0, 10)

const firstInstants = new Map<string, Date>()

/** Moves towards a date until the local date is reached, by half hours and then back by minutes. */
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

export const expectedBucket = (instant: Date, { interval, timeZone }: Axis): Date => {
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
    case "hour-of-week": {
      const time = shown(millis, timeZone)
      return new Date(((new Date(time.slice(0, 10)).getUTCDay() + 6) % 7) * 24 + Number(time.slice(11, 13)))
    }
  }
}

const wall = (millis: number, timeZone: string): number =>
  Date.parse(`${shown(millis, timeZone).replace(" ", "T")}Z`) + (((millis % 1000) + 1000) % 1000)

/** The first instant at which local time is ahead by this much. */
const expectedLater = (click: ClickEvent, { shift, timeZone }: EarlierPeriod, from: Date, to: Date): Date => {
  const target = wall(click.occurred_at.getTime(), timeZone) + shift
  const offsets = [-24, 24].map((hours) => {
    const near = target + hours * 60 * minute
    return wall(near, timeZone) - near
  })
  const candidates = offsets.map((offset) => target - offset).sort((a, b) => a - b)
  const skipped = target - (offsets[0] ?? 0)
  const found = candidates.find((instant) => wall(instant, timeZone) === target) ?? skipped
  return new Date(Math.min(Math.max(found, from.getTime()), to.getTime()))
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
  click.visitor_id !== null
    ? `visitor ${click.visitor_id}`
    : click.user_id === null
      ? `${click.ip_address} | ${click.user_agent}`
      : `user ${click.user_id}`

export const unidentifiedIn = (clicks: ReadonlyArray<ClickEvent>): number =>
  clicks.filter((click) => identityOf(click) === "null | null").length

export const countOf = (clicks: ReadonlyArray<ClickEvent>) => {
  const identities = new Set(clicks.map(identityOf))
  identities.delete("null | null")
  const isUnknown = clicks.length > 0 && identities.size === 0
  return { clicks: clicks.length, visitors: isUnknown ? null : identities.size }
}

const bytes = new TextEncoder()
const last = "\u{10ffff}".repeat(9)
export const byBytes = (a: unknown, b: unknown): number =>
  Buffer.compare(bytes.encode(String(a ?? last)), bytes.encode(String(b ?? last)))

export const collect = <T>(items: ReadonlyArray<T>, nameOf: (item: T) => string): Array<Array<T>> => {
  const groups = new Map<string, Array<T>>()
  for (const item of items) groups.set(nameOf(item), [...(groups.get(nameOf(item)) ?? []), item])
  return Array.from(groups.values())
}

export interface Found {
  readonly click: ClickEvent
  readonly isPrevious: boolean
  readonly bucket: number
}

/** The clicks of both periods with their buckets. */
export const findAll = (
  clicks: ReadonlyArray<ClickEvent>,
  { axis, earlier, filter }: Pick<AnalyticsQuery, "axis" | "earlier" | "filter">
): ReadonlyArray<Found> => {
  const bucketOf = (instant: Date) => (axis ? expectedBucket(instant, axis).getTime() : 0)
  const current = clicks.filter((click) => isMeant(filter, click))
  const { from, to } = filter
  const previous =
    earlier && from && to
      ? clicks
          .filter((click) => isMeant({ ...filter, from: earlier.from, to: earlier.to }, click))
          .map((click) => {
            const isMoved = axis?.interval !== "hour-of-week"
            const at = isMoved ? expectedLater(click, earlier, from, to) : click.occurred_at
            return { click, isPrevious: true, bucket: bucketOf(at) }
          })
      : []
  return [
    ...current.map((click) => ({ click, isPrevious: false, bucket: bucketOf(click.occurred_at) })),
    ...previous
  ]
}

export const clicksOf = (found: ReadonlyArray<Found>, isPrevious: boolean) =>
  found.filter((item) => item.isPrevious === isPrevious).map(({ click }) => click)

export const by = (part: number | null, whole: number | null) =>
  part === null || whole === null || whole === 0 ? null : part / whole
