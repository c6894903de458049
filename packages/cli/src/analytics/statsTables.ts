import type { AnalyticsQuery } from "@clicks/core/analytics/AnalyticsQuery"
import type { ClickGroup } from "@clicks/core/analytics/ClickGroup"
import type { FunnelStep, Funnels } from "@clicks/core/analytics/Funnel"
import type { Interval, TimeAxis } from "@clicks/core/analytics/Interval"
import { offsetAt } from "@clicks/core/values/TimeZone"
import { grouped } from "../terminal/format.ts"
import type { Column } from "../terminal/Table.ts"
import { barTable } from "./barTable.ts"

const none = "(none)"

const orUnknown = (count: number | null): string => (count === null ? "–" : grouped(count))

const lengths: Readonly<Record<Interval, number>> = { hour: 16, day: 10, week: 10, month: 7 }

const offsetText = (millis: number): string => {
  const minutes = Math.abs(millis) / 60_000
  const parts = [Math.floor(minutes / 60), Math.floor(minutes % 60)].map((part) =>
    String(part).padStart(2, "0")
  )
  return `${millis < 0 ? "-" : "+"}${parts.join(":")}`
}

/** A bucket as its zone's calendar names it: `2026-10-25`, `2026-10`; an hour with its offset, since one may come twice. */
export const bucketText = (bucket: Date, { interval, timeZone }: TimeAxis): string => {
  const offset = offsetAt(bucket.getTime(), timeZone)
  const local = new Date(bucket.getTime() + offset)
    .toISOString()
    .slice(0, lengths[interval])
    .replace("T", " ")
  return interval === "hour" ? `${local} ${offsetText(offset)}` : local
}

const nameColumn = (field: AnalyticsQuery["groupBy"][number]): Column<ClickGroup> => ({
  title: field,
  cell: (group) => group[field] ?? none
})

/** Groups with bars of their clicks. */
export const groupTable = (
  groups: ReadonlyArray<ClickGroup>,
  query: AnalyticsQuery,
  width: number
): string => {
  const { axis, groupBy } = query
  const time: ReadonlyArray<Column<ClickGroup>> = axis
    ? [
        {
          title: axis.interval,
          cell: ({ bucket }) => (bucket ? bucketText(bucket, axis) : ""),
          isWhole: true
        }
      ]
    : []
  const most = Math.max(...groups.map(({ clicks }) => clicks))
  return barTable(
    groups,
    [...time, ...groupBy.map(nameColumn)],
    [
      { title: "clicks", cell: ({ clicks }) => grouped(clicks) },
      { title: "visitors", cell: ({ visitors }) => orUnknown(visitors) }
    ],
    ({ clicks }) => ({ value: clicks, most }),
    width
  )
}

interface StepRow extends FunnelStep {
  readonly name: string
  readonly most: number
}

const percent = (rate: number | null): string => (rate === null ? "" : `${(rate * 100).toFixed(1)} %`)

/** The steps of each funnel, with bars beside those of the same funnel. */
export const funnelTable = ({ group_by, groups }: Funnels, width: number): string => {
  const rows = groups.flatMap((funnel): Array<StepRow> => {
    const most = Math.max(...funnel.steps.map(({ clicks }) => clicks))
    return funnel.steps.map((step, index) => ({
      ...step,
      most,
      name: index === 0 ? (funnel[group_by] ?? none) : ""
    }))
  })
  return barTable(
    rows,
    [
      { title: group_by, cell: ({ name }) => name },
      { title: "step", cell: ({ action }) => action, isWhole: true }
    ],
    [
      { title: "clicks", cell: ({ clicks }) => grouped(clicks) },
      { title: "of view", cell: (row) => percent(row.click_rate_from_view) },
      { title: "of before", cell: (row) => percent(row.click_rate_from_previous) },
      { title: "visitors", cell: ({ visitors }) => orUnknown(visitors) }
    ],
    ({ clicks, most }) => ({ value: clicks, most }),
    width
  )
}
