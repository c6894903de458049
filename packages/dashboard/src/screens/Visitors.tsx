import { read } from "../api/client.ts"
import type { AnswerOf } from "../api/endpoints.ts"
import { useLoad } from "../api/useLoad.ts"
import { TimeChart } from "../charts/TimeChart.tsx"
import { Panel } from "../parts/Panel.tsx"
import { bucketName } from "../state/dates.ts"
import { scope } from "../state/filters.ts"
import { count, percent, ratio } from "../state/format.ts"
import { begun, range, zone } from "../state/range.ts"
import { Cohorts } from "./visitors/Cohorts.tsx"
import { Pairs } from "./visitors/Pairs.tsx"

type Answer = AnswerOf<"GET", "/api/analytics/visitors">

const nameOf = (bucket: string) => bucketName(bucket, range.value.interval, zone.value)

const summaryOf = ({ total }: Answer): string =>
  `${count(total.visitors)} ${total.visitors === 1 ? "visitor" : "visitors"}: ${count(total.new)} new, ${count(total.returning)} returning (${percent(ratio(total.returning, total.visitors))}). New visitors clicked for the first time ever.`

const Chart = ({ answer }: { readonly answer: Answer }) => {
  const buckets = begun(answer.buckets)
  const describe = (index: number): string => {
    const row = buckets[index]
    return row ? `${nameOf(row.bucket)}: ${count(row.new)} new, ${count(row.returning)} returning` : ""
  }
  return (
    <TimeChart
      label="New and returning visitors"
      names={["new", "returning"]}
      buckets={buckets.map(({ bucket }) => bucket)}
      values={buckets.map((row) => row.new)}
      previous={buckets.map(({ returning }) => returning)}
      interval={range.value.interval}
      timeZone={zone.value}
      describe={describe}
    />
  )
}

const NewAndReturning = () => {
  const query = { ...scope.value, interval: range.value.interval }
  const loaded = useLoad(`visitors ${JSON.stringify(query)}`, (signal) =>
    read("/api/analytics/visitors", query, signal)
  )
  return (
    <Panel
      title="New and returning visitors"
      loaded={loaded}
      isEmpty={({ total }) => total.visitors === 0}
      summary={summaryOf}
      table={({ buckets }) => ({
        titles: ["Time", "Visitors", "New", "Returning"],
        rows: begun(buckets).map((row) => [nameOf(row.bucket), row.visitors, row.new, row.returning])
      })}
    >
      {(answer) => <Chart answer={answer} />}
    </Panel>
  )
}

/** Who comes, who comes back, and what they look at together. */
export const Visitors = () => (
  <>
    <h1>Visitors</h1>
    <NewAndReturning />
    <Cohorts />
    <Pairs />
  </>
)
