import type { AnalyticsQuery } from "@clicks/core/analytics/AnalyticsQuery"
import type { ClickGroup } from "@clicks/core/analytics/ClickGroup"
import type { FunnelStep, Funnels } from "@clicks/core/analytics/Funnel"
import type { Interval, TimeAxis } from "@clicks/core/analytics/Interval"
import { offsetAt } from "@clicks/core/values/TimeZone"
import { grouped } from "../terminal/format.ts"
import type { Column } from "../terminal/Table.ts"
import { barTable } from "./barTable.ts"

const none = "(none)"

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

const timeColumn = (axis: TimeAxis): Column<ClickGroup> => ({
  title: axis.interval,
  cell: ({ bucket }) => (bucket ? bucketText(bucket, axis) : ""),
  isWhole: true
})

const clicksColumn: Column<{ readonly clicks: number }> = {
  title: "clicks",
  cell: ({ clicks }) => grouped(clicks),
  isNumber: true
}

const visitorsColumn: Column<{ readonly visitors: number | null }> = {
  title: "visitors",
  cell: ({ visitors }) => (visitors === null ? "–" : grouped(visitors)),
  isNumber: true
}

/** Groups with bars of their clicks. */
export const groupTable = (
  groups: ReadonlyArray<ClickGroup>,
  { axis, groupBy }: AnalyticsQuery,
  width: number
): string => {
  const names = groupBy.map(
    (field): Column<ClickGroup> => ({ title: field, cell: (group) => group[field] ?? none })
  )
  const max = Math.max(...groups.map(({ clicks }) => clicks))
  return barTable(
    groups,
    [...(axis ? [timeColumn(axis)] : []), ...names, clicksColumn, visitorsColumn],
    ({ clicks }) => ({ value: clicks, max }),
    width
  )
}

interface StepRow extends FunnelStep {
  readonly name: string
  /** The most clicks of any step of the funnel. */
  readonly max: number
}

const percent = (rate: number | null): string => (rate === null ? "" : `${(rate * 100).toFixed(1)} %`)

/** The steps of each funnel, with bars relative to the same funnel. */
export const funnelTable = ({ group_by, groups }: Funnels, width: number): string => {
  const rows = groups.flatMap((funnel): Array<StepRow> => {
    const max = Math.max(...funnel.steps.map(({ clicks }) => clicks))
    return funnel.steps.map((step, index) => ({
      ...step,
      max,
      name: index === 0 ? (funnel[group_by] ?? none) : ""
    }))
  })
  return barTable(
    rows,
    [
      { title: group_by, cell: ({ name }) => name },
      { title: "step", cell: ({ action }) => action, isWhole: true },
      clicksColumn,
      { title: "of view", cell: (row) => percent(row.click_rate_from_view), isNumber: true },
      { title: "of previous", cell: (row) => percent(row.click_rate_from_previous), isNumber: true },
      visitorsColumn
    ],
    ({ clicks, max }) => ({ value: clicks, max }),
    width
  )
}
