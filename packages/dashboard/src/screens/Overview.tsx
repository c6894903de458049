import type { AnswerOf } from "../api/endpoints.ts"
import { useRead } from "../api/useLoad.ts"
import { Sparkline } from "../charts/Sparkline.tsx"
import { TimeChart, useChartSoon } from "../charts/TimeChart.tsx"
import { Change } from "../parts/Change.tsx"
import { Panel } from "../parts/Panel.tsx"
import { type Column, number } from "../parts/Table.tsx"
import { type Begun, begun, nameOf, unfinished } from "../state/buckets.ts"
import { comparedScope } from "../state/filters.ts"
import { change, clicksName, count, difference, growth, percent, ratio } from "../state/format.ts"
import { comparison, comparisons, range, zone } from "../state/range.ts"

type Answer = AnswerOf<"GET", "/api/analytics/product-clicks">
type Counts = NonNullable<Answer["totals"]>
type Earlier = NonNullable<Counts["previous"]>

interface Metric {
  readonly title: string
  readonly hint: string
  readonly valueOf: (counts: Counts | Earlier) => number | null
  readonly format: (value: number | null) => string
}

const metrics: ReadonlyArray<Metric> = [
  { title: "Clicks", hint: "all actions", valueOf: ({ clicks }) => clicks, format: count },
  { title: "Visitors", hint: "who clicked", valueOf: ({ visitors }) => visitors, format: count },
  {
    title: "Open rate",
    hint: "product opens per view",
    valueOf: ({ actions }) => ratio(actions?.open_product, actions?.view),
    format: percent
  },
  {
    title: "Store rate",
    hint: "store opens per product open",
    valueOf: ({ actions }) => ratio(actions?.open_store, actions?.open_product),
    format: percent
  }
]

const earlierName = () => comparisons[comparison.value]

const Figure = ({
  answer: { groups, totals },
  metric
}: {
  readonly answer: Answer
  readonly metric: Metric
}) => {
  if (totals === undefined) return null
  const { format, valueOf } = metric
  const value = valueOf(totals)
  const before = totals.previous && valueOf(totals.previous)
  const isRate = format === percent
  const delta = isRate ? difference(value, before) : growth(value, before)
  const series = begun(groups).map((row) => valueOf(row) ?? 0)
  const earlier = begun(groups).flatMap(({ previous }) => (previous ? [valueOf(previous) ?? 0] : []))
  return (
    <>
      <strong>{format(value)}</strong>
      {before !== undefined && (
        <span class="versus">
          {delta !== null && <Change value={delta} inPoints={isRate} />}{" "}
          <span class="hint">{before || delta !== null ? `from ${format(before)}` : "none before"}</span>
        </span>
      )}
      <Sparkline values={series} previous={earlier} isOpen={range.value.isOpen} />
    </>
  )
}

const summaryOf = ({ groups, totals }: Answer): string => {
  if (totals === undefined) return ""
  const { clicks, previous, visitors } = totals
  const who = visitors === null ? "" : ` by ${count(visitors)} ${visitors === 1 ? "visitor" : "visitors"}`
  const growthOfClicks = previous && growth(clicks, previous.clicks)
  const [soFar, part] = range.value.isOpen ? [" so far", "the same part of "] : ["", ""]
  const compared =
    growthOfClicks == null ? "" : `, ${change(growthOfClicks)} compared with ${part}the ${earlierName()}`
  return `${clicksName(clicks)}${who}${soFar}${compared}.${unfinished(groups)}`
}

const columns: ReadonlyArray<Column<Begun<Answer["groups"][number]>>> = [
  { title: "Time", value: nameOf },
  number("Clicks", ({ clicks }) => clicks),
  number("Visitors", ({ visitors }) => visitors)
]

const earlierColumns: typeof columns = [
  number("Clicks, compared period", ({ previous }) => previous?.clicks),
  number("Visitors, compared period", ({ previous }) => previous?.visitors)
]

const tableOf = ({ groups }: Answer) => ({
  columns: groups.some(({ previous }) => previous) ? [...columns, ...earlierColumns] : columns,
  rows: begun(groups)
})

const Chart = ({ answer }: { readonly answer: Answer }) => {
  const groups = begun(answer.groups)
  const buckets = groups.map(({ bucket = "" }) => bucket)
  const previous = groups.map(({ previous }) => previous?.clicks)
  const compared = previous.every((value) => value !== undefined) ? previous : undefined
  const describe = (index: number): string => {
    const row = groups[index]
    if (row === undefined) return ""
    const before = row.previous === undefined ? "" : `, ${count(row.previous.clicks)} before`
    return `${nameOf(row)}: ${clicksName(row.clicks)}${before}`
  }
  return (
    <TimeChart
      label="Clicks over time"
      buckets={buckets}
      values={groups.map(({ clicks }) => clicks)}
      previous={compared}
      isOpen={range.value.isOpen}
      interval={range.value.interval}
      timeZone={zone.value}
      describe={describe}
    />
  )
}

/** Clicks, visitors and rates, with those of the compared period. */
export const Overview = () => {
  const query = { ...comparedScope.value, interval: range.value.interval, pivot: "action", totals: "true" }
  const loaded = useRead("/api/analytics/product-clicks", query)
  const { data } = loaded
  useChartSoon()
  return (
    <>
      <h1>Overview</h1>
      <dl class="figures" aria-busy={loaded.isLoading}>
        {metrics.map((metric) => (
          <div class="figure" key={metric.title}>
            <dt>
              {metric.title} <span class="hint">{metric.hint}</span>
            </dt>
            <dd>
              {data && <Figure answer={data} metric={metric} />}
              {!data && (loaded.error ? <strong>–</strong> : <span class="skeleton" />)}
            </dd>
          </div>
        ))}
      </dl>
      <Panel
        title="Clicks over time"
        loaded={loaded}
        isEmpty={({ totals }) => totals?.clicks === 0 && !totals.previous?.clicks}
        summary={summaryOf}
        table={tableOf}
      >
        {(answer) => <Chart answer={answer} />}
      </Panel>
    </>
  )
}
