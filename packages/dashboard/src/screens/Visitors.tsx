import type { AnswerOf } from "../api/endpoints.ts"
import { useRead } from "../api/useLoad.ts"
import { TimeChart } from "../charts/TimeChart.tsx"
import { Panel } from "../parts/Panel.tsx"
import { type Column, number } from "../parts/Table.tsx"
import { type Begun, begun, nameOf, unfinished } from "../state/buckets.ts"
import { scope } from "../state/filters.ts"
import { count, percent, ratio } from "../state/format.ts"
import { range, zone } from "../state/range.ts"
import { Cohorts } from "./visitors/Cohorts.tsx"
import { Pairs } from "./visitors/Pairs.tsx"

type Answer = AnswerOf<"GET", "/api/analytics/visitors">

const summaryOf = ({ buckets, total }: Answer): string =>
  `${count(total.visitors)} ${total.visitors === 1 ? "visitor" : "visitors"}: ${count(total.new)} new, ${count(total.returning)} returning (${percent(ratio(total.returning, total.visitors))}). New visitors had never clicked before.${unfinished(buckets)}`

const Chart = ({ answer }: { readonly answer: Answer }) => {
  const buckets = begun(answer.buckets)
  const describe = (index: number): string => {
    const row = buckets[index]
    return row ? `${nameOf(row)}: ${count(row.new)} new, ${count(row.returning)} returning` : ""
  }
  return (
    <TimeChart
      label="New and returning visitors"
      names={["new", "returning"]}
      buckets={buckets.map(({ bucket }) => bucket)}
      values={buckets.map((row) => row.new)}
      previous={buckets.map(({ returning }) => returning)}
      isOpen={range.value.isOpen}
      interval={range.value.interval}
      timeZone={zone.value}
      describe={describe}
    />
  )
}

const columns: ReadonlyArray<Column<Begun<Answer["buckets"][number]>>> = [
  { title: "Time", value: nameOf },
  number("Visitors", ({ visitors }) => visitors),
  number("New", (row) => row.new),
  number("Returning", ({ returning }) => returning)
]

const NewAndReturning = () => (
  <Panel
    title="New and returning visitors"
    loaded={useRead("/api/analytics/visitors", { ...scope.value, interval: range.value.interval })}
    isEmpty={({ total }) => total.visitors === 0}
    summary={summaryOf}
    table={({ buckets }) => ({ columns, rows: begun(buckets) })}
  >
    {(answer) => <Chart answer={answer} />}
  </Panel>
)

/** New and returning visitors, how many return, and products that are clicked together. */
export const Visitors = () => (
  <>
    <h1>Visitors</h1>
    <NewAndReturning />
    <Cohorts />
    <Pairs />
  </>
)
