import type { AnalyticsQuery } from "@clicks/core/analytics/AnalyticsQuery"
import type { ClickGroup, ClickGroups } from "@clicks/core/analytics/ClickGroup"
import { isTimeAxis } from "@clicks/core/analytics/Interval"
import { type Column, table } from "../terminal/Table.ts"
import { bars, sparkline } from "./charts.ts"
import { bucketText, clicksColumn, none, numberColumns, weekdays } from "./statsColumns.ts"

type Query = Pick<AnalyticsQuery, "axis" | "groupBy" | "visitors"> & Partial<Pick<AnalyticsQuery, "ranking">>

const isByChange = ({ ranking }: Query): boolean => ranking?.sort === "change"

const keyColumns = ({ groupBy }: Query): ReadonlyArray<Column<ClickGroup>> =>
  groupBy.map((field) => ({ title: field, cell: (group) => group[field] ?? none }))

const timeColumns = ({ axis }: Query): ReadonlyArray<Column<ClickGroup>> =>
  axis !== undefined && isTimeAxis(axis)
    ? [
        {
          title: axis.interval,
          cell: ({ bucket }) => (bucket ? bucketText(bucket, axis) : total),
          isWhole: true
        }
      ]
    : []

const total = "(total)"

const totalRow = ({ axis, groupBy }: Query, { totals }: ClickGroups): ReadonlyArray<ClickGroup> => {
  if (totals === undefined || (axis === undefined && groupBy.length === 0)) return []
  return [
    {
      ...totals,
      ...Object.fromEntries(groupBy.map((field, index) => [field, index === 0 ? total : ""])),
      share: totals.clicks === 0 ? null : 1
    }
  ]
}

/** Groups or buckets, with bars of their clicks unless there are columns of actions. */
const rowTable = (answer: ClickGroups, query: Query, width: number): string => {
  const { groups } = answer
  const totals = totalRow(query, answer)
  const hasActions = groups.some(({ actions }) => actions !== undefined)
  const columns = [
    ...timeColumns(query),
    ...keyColumns(query),
    ...numberColumns(query.visitors, isByChange(query)),
    ...(hasActions ? [] : [bars(groups, (row) => (totals.includes(row) ? 0 : row.clicks))])
  ]
  return table(columns, [...groups, ...totals], width)
}

const sum = (rows: ReadonlyArray<ClickGroup>, count: (row: ClickGroup) => number): number =>
  rows.reduce((total, row) => total + count(row), 0)

/** The buckets of each group as one row with a sparkline. Visitors of several buckets cannot be added up, so they are not shown. */
const trendTable = (answer: ClickGroups, query: Query, width: number): string => {
  const { groupBy } = query
  const series = Map.groupBy(answer.groups, (row) => JSON.stringify(groupBy.map((field) => row[field])))
  const rows = Array.from(series.values(), (buckets) => {
    const { actions: _, share: __, ...first } = buckets[0] as ClickGroup
    const clicks = sum(buckets, (row) => row.clicks)
    const before = sum(buckets, ({ previous }) => previous?.clicks ?? 0)
    const change = { clicks: clicks - before, visitors: null, visitor_rate: null }
    return {
      ...first,
      clicks,
      ...(first.previous && {
        previous: { clicks: before, visitors: null },
        change: { ...change, click_rate: before === 0 ? null : (clicks - before) / before }
      }),
      values: buckets.map((row) => row.clicks)
    }
  })
  const trend: Column<(typeof rows)[number]> = {
    title: "trend",
    cell: ({ values }, room) => sparkline(values, room),
    fills: [12, 60]
  }
  return table([...keyColumns(query), ...numberColumns(false, isByChange(query)), trend], rows, width)
}

const hourTitles = ["00", "06", "12", "18"].map((hour) => hour.padEnd(6)).join("")

/** A row per weekday with the height of each hour, relative to the busiest hour of all rows. */
const weekTable = (answer: ClickGroups, query: Query, width: number): string => {
  const { groupBy } = query
  const max = answer.groups.reduce((most, { clicks }) => Math.max(most, clicks), 0)
  const days = Map.groupBy(answer.groups, (row) =>
    JSON.stringify([...groupBy.map((field) => row[field]), row.weekday])
  )
  const rows = Array.from(days.values(), (hours) => {
    const busiest = hours.reduce((a, b) => (b.clicks > a.clicks ? b : a))
    return {
      ...(hours[0] as ClickGroup),
      clicks: sum(hours, ({ clicks }) => clicks),
      busiest: busiest.clicks === 0 ? "" : `${String(busiest.hour).padStart(2, "0")}:00`,
      line: sparkline(
        hours.map(({ clicks }) => clicks),
        24,
        max
      )
    }
  })
  type Row = (typeof rows)[number]
  const columns: ReadonlyArray<Column<Row>> = [
    ...keyColumns(query),
    { title: "weekday", cell: ({ weekday = 1 }) => weekdays[weekday - 1] ?? "", isWhole: true },
    clicksColumn,
    { title: "busiest", cell: ({ busiest }) => busiest, isWhole: true },
    { title: hourTitles.trimEnd(), cell: ({ line }) => line, isWhole: true }
  ]
  return table(columns, rows, width)
}

/** The table for a result, by the shape of its query. */
export const groupTable = (answer: ClickGroups, query: Query, width: number): string => {
  const { axis, groupBy } = query
  if (axis !== undefined && !isTimeAxis(axis)) return weekTable(answer, query, width)
  return axis !== undefined && groupBy.length > 0
    ? trendTable(answer, query, width)
    : rowTable(answer, query, width)
}
