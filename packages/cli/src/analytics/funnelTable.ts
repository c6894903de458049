import type { Funnel, FunnelSteps, Funnels } from "@clicks/core/analytics/Funnel"
import { table } from "../terminal/Table.ts"
import { bars } from "./charts.ts"
import type { CsvRecord } from "./csvText.ts"
import { clicksColumn, count, none, rate, visitorsColumn } from "./statsColumns.ts"

interface StepRow {
  readonly name: string
  readonly action: string
  readonly clicks: number
  readonly visitors: number | null
  readonly click_rate_from_view: number | null
  readonly click_rate_from_previous: number | null
  readonly visitor_rate_from_view: number | null
  readonly visitor_rate_from_previous: number | null
  /** Clicks in the earlier period. */
  readonly before: number | undefined
  /** The highest number of clicks among the actions of the funnel. */
  readonly max: number
}

/** The steps, then the branch, which has no previous step. */
const actionsOf = ({ compare, steps }: FunnelSteps) => [
  ...steps,
  { ...compare, click_rate_from_previous: null, visitor_rate_from_previous: null }
]

const rowsOf = (name: string, funnel: FunnelSteps & Pick<Funnel, "previous">): ReadonlyArray<StepRow> => {
  const actions = actionsOf(funnel)
  const earlier = funnel.previous && actionsOf(funnel.previous)
  const max = Math.max(...actions.map(({ clicks }) => clicks))
  return actions.map((row, index) => ({ ...row, name, before: earlier?.[index]?.clicks, max }))
}

type Field = keyof Omit<Funnel, "steps" | "compare" | "previous">

const allRows = ({ group_by, groups, totals }: Funnels): ReadonlyArray<ReadonlyArray<StepRow>> => [
  ...groups.map((funnel) => rowsOf(funnel[group_by as Field] ?? none, funnel)),
  ...(totals ? [rowsOf("(total)", totals)] : [])
]

/** The steps of each funnel, with bars relative to the same funnel. */
export const funnelTable = (funnels: Funnels, width: number): string => {
  const rows = allRows(funnels).flatMap((steps) =>
    steps.map((step, index) => ({ ...step, name: index === 0 ? step.name : "" }))
  )
  const isCompared = rows.some(({ before }) => before !== undefined)
  return table<StepRow>(
    [
      { title: funnels.group_by, cell: ({ name }) => name },
      { title: "step", cell: ({ action }) => (action === "compare" ? "· compare" : action), isWhole: true },
      clicksColumn,
      rate("of view", (row) => row.click_rate_from_view),
      rate("of previous", (row) => row.click_rate_from_previous),
      isCompared ? count("before", ({ before = 0 }) => before) : visitorsColumn,
      bars(
        rows,
        ({ clicks }) => clicks,
        ({ max }) => max
      )
    ],
    rows,
    width
  )
}

/** A record per step. */
export const funnelRecords = (funnels: Funnels): ReadonlyArray<CsvRecord> =>
  allRows(funnels).flatMap((steps) =>
    steps.map(({ before, max: _, name, ...step }) => ({
      [funnels.group_by]: name === none ? null : name,
      ...step,
      ...(before !== undefined && { previous_clicks: before })
    }))
  )
