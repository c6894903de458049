import type { ClickGroup, GroupCounts } from "@clicks/core/analytics/ClickGroup"
import type { Interval, TimeAxis } from "@clicks/core/analytics/Interval"
import { offsetAt } from "@clicks/core/values/TimeZone"
import { grouped, offsetText } from "../terminal/format.ts"
import type { Column } from "../terminal/Table.ts"

/** The name of a group whose clicks lack the value. */
export const none = "(none)"

const lengths: Readonly<Record<Interval, number>> = { hour: 16, day: 10, week: 10, month: 7 }

/** The local name of a bucket: `2026-10-25`, `2026-10`; an hour with its offset, since an hour can occur twice. */
export const bucketText = (bucket: Date, { interval, timeZone }: TimeAxis): string => {
  const offset = offsetAt(bucket.getTime(), timeZone)
  const local = new Date(bucket.getTime() + offset)
    .toISOString()
    .slice(0, lengths[interval])
    .replace("T", " ")
  return interval === "hour" ? `${local} ${offsetText(offset)}` : local
}

export const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

const number = <A>(title: string, cell: (row: A) => string, rank = 0): Column<A> => ({
  title,
  cell,
  isNumber: true,
  isOptional: true,
  rank
})

/** A column of counts; an unknown count is a dash. */
export const count = <A>(title: string, valueOf: (row: A) => number | null, rank = 0): Column<A> =>
  number(
    title,
    (row) => {
      const value = valueOf(row)
      return value === null ? "–" : grouped(value)
    },
    rank
  )

/** A column of rates as percentages; empty if unknown. */
export const rate = <A>(title: string, valueOf: (row: A) => number | null | undefined, rank = 0): Column<A> =>
  number(
    title,
    (row) => {
      const value = valueOf(row)
      return typeof value === "number" ? `${(value * 100).toFixed(1)}%` : ""
    },
    rank
  )

export const clicksColumn = count<{ readonly clicks: number }>("clicks", ({ clicks }) => clicks)

export const visitorsColumn = count<{ readonly visitors: number | null }>(
  "visitors",
  ({ visitors }) => visitors,
  2
)

const changeText = ({ change, clicks }: GroupCounts): string => {
  if (change === undefined) return ""
  if (change.click_rate === null) return clicks > 0 ? "new" : ""
  const percents = Math.abs(change.click_rate * 100).toFixed(1)
  return percents === "0.0" ? "0.0%" : `${change.click_rate < 0 ? "−" : "+"}${percents}%`
}

const gainColumn = number<ClickGroup>("gain", ({ change }) => {
  if (change === undefined) return ""
  return change.clicks === 0 ? "0" : `${change.clicks < 0 ? "−" : "+"}${grouped(Math.abs(change.clicks))}`
})

const actionColumns = (["view", "open_product", "open_store", "compare", "other"] as const).map((action) =>
  number<ClickGroup>(
    action,
    ({ actions }) => (actions ? grouped(actions[action]) : ""),
    action === "other" ? 1 : 0
  )
)

/** The number columns of groups. Groups sorted by change also show it in clicks, by which they are sorted. */
export const numberColumns = (
  hasVisitors: boolean,
  isByChange: boolean
): ReadonlyArray<Column<ClickGroup>> => [
  clicksColumn,
  ...(hasVisitors ? [visitorsColumn] : []),
  ...actionColumns,
  rate("share", ({ share }) => share, 3),
  number("before", ({ previous }) => (previous ? grouped(previous.clicks) : ""), 1),
  ...(isByChange ? [gainColumn] : []),
  number("change", changeText)
]
