import type { ClickGroup, GroupCounts } from "@clicks/core/analytics/ClickGroup"
import type { Interval, TimeAxis } from "@clicks/core/analytics/Interval"
import { offsetAt } from "@clicks/core/values/TimeZone"
import { grouped } from "../terminal/format.ts"
import { type Column, naturalWidth } from "../terminal/Table.ts"

/** The name of a group whose clicks lack the value. */
export const none = "(none)"

const lengths: Readonly<Record<Interval, number>> = { hour: 16, day: 10, week: 10, month: 7 }

const offsetText = (millis: number): string => {
  const minutes = Math.abs(millis) / 60_000
  const parts = [Math.floor(minutes / 60), Math.floor(minutes % 60)].map((part) =>
    String(part).padStart(2, "0")
  )
  return `${millis < 0 ? "-" : "+"}${parts.join(":")}`
}

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

export const clicksColumn: Column<{ readonly clicks: number }> = {
  title: "clicks",
  cell: ({ clicks }) => grouped(clicks),
  isNumber: true
}

const visitorsText = (visitors: number | null): string => (visitors === null ? "–" : grouped(visitors))

export const visitorsColumn: Column<{ readonly visitors: number | null }> = {
  title: "visitors",
  cell: ({ visitors }) => visitorsText(visitors),
  isNumber: true
}

/** A rate as a percentage; empty if unknown. */
export const percent = (rate: number | null | undefined): string =>
  typeof rate === "number" ? `${(rate * 100).toFixed(1)} %` : ""

const changeText = ({ change, clicks }: GroupCounts): string => {
  if (change === undefined) return ""
  if (change.click_rate === null) return clicks > 0 ? "new" : ""
  const rate = Math.abs(change.click_rate * 100).toFixed(1)
  return rate === "0.0" ? "0.0 %" : `${change.click_rate < 0 ? "−" : "+"}${rate} %`
}

const number = <A>(title: string, cell: (row: A) => string): Column<A> => ({ title, cell, isNumber: true })

const actionColumns = (["view", "open_product", "open_store", "compare", "other"] as const).map((action) =>
  number<ClickGroup>(action.replace("open_", ""), ({ actions }) => (actions ? grouped(actions[action]) : ""))
)

/** The number columns of the rows. A narrow terminal leaves out columns with a rank above 0, the highest rank first. */
export const numberColumns = (
  rows: ReadonlyArray<ClickGroup>,
  hasVisitors: boolean
): ReadonlyArray<{ readonly column: Column<ClickGroup>; readonly rank: number }> => {
  const [first] = rows
  return [
    { column: clicksColumn, rank: 0 },
    ...(hasVisitors ? [{ column: visitorsColumn, rank: 2 }] : []),
    ...(first?.actions ? actionColumns.map((column) => ({ column, rank: 0 })) : []),
    ...(first?.share === undefined
      ? []
      : [{ column: number<ClickGroup>("share", ({ share }) => percent(share)), rank: 3 }]),
    ...(first?.previous
      ? [
          {
            column: number<ClickGroup>("before", ({ previous }) =>
              previous ? grouped(previous.clicks) : ""
            ),
            rank: 1
          },
          { column: number<ClickGroup>("change", changeText), rank: 0 }
        ]
      : [])
  ]
}

/** Leaves out columns of the highest ranks until the others fit. */
export const fitting = <A>(
  named: ReadonlyArray<Column<A>>,
  numbers: ReadonlyArray<{ readonly column: Column<A>; readonly rank: number }>,
  rows: ReadonlyArray<A>,
  width: number
): ReadonlyArray<Column<A>> => {
  const shortest = 12
  const needed = named.length * shortest + numbers.length * 2
  const columns = numbers.map(({ column }) => column)
  const highest = numbers.reduce((max, { rank }) => Math.max(max, rank), 0)
  if (highest === 0 || naturalWidth(columns, rows) + needed - numbers.length * 2 + 2 <= width)
    return [...named, ...columns]
  return fitting(
    named,
    numbers.filter(({ rank }) => rank < highest),
    rows,
    width
  )
}
