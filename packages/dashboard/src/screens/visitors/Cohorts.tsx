import { read } from "../../api/client.ts"
import type { AnswerOf } from "../../api/endpoints.ts"
import { useLoad } from "../../api/useLoad.ts"
import { Panel } from "../../parts/Panel.tsx"
import { Scroll } from "../../parts/Scroll.tsx"
import { bucketName } from "../../state/dates.ts"
import { plusDays } from "../../state/days.ts"
import { filtered } from "../../state/filters.ts"
import { count, percent, ratio } from "../../state/format.ts"
import { range, zone } from "../../state/range.ts"

type Answer = AnswerOf<"GET", "/api/analytics/cohorts">
type Cohort = Answer["cohorts"][number]

const weeks = 12
const levels = 5

const weekName = ({ week }: Cohort) => bucketName(week, "week", zone.value).replace("Week of ", "")

const rateOf = ({ returned, visitors }: Cohort, week: number) => ratio(returned[week], visitors)

const levelOf = (rate: number) => Math.min(levels, Math.ceil(Math.sqrt(rate) * levels))

// The week of the first click is left out: all visitors of the cohort clicked in it.
const laterWeeks = ({ cohorts }: Answer) =>
  Array.from({ length: Math.max(0, ...cohorts.map(({ returned }) => returned.length - 1)) }, (_, n) => n + 1)

const titleOf = (week: number) => (week === 1 ? "1 week later" : `${week} weeks later`)

const summaryOf = ({ cohorts }: Answer): string => {
  const complete = cohorts.filter(({ returned }) => returned.length > 1)
  const sum = (valueOf: (cohort: Cohort) => number) =>
    complete.reduce((total, cohort) => total + valueOf(cohort), 0)
  const rate = ratio(
    sum(({ returned }) => returned[1] ?? 0),
    sum(({ visitors }) => visitors)
  )
  return rate === null
    ? "It takes two weeks of clicks to see who returns."
    : `${percent(rate)} of new visitors clicked again a week later.`
}

const CohortTable = ({ answer }: { readonly answer: Answer }) => (
  <Scroll label="Visitors who return, table">
    <table class="cohorts">
      <thead>
        <tr>
          <th scope="col">First click in the week of</th>
          <th scope="col" class="number">
            New visitors
          </th>
          {laterWeeks(answer).map((week) => (
            <th scope="col" class="number" key={week} aria-label={titleOf(week)}>
              {week === 1 ? "+1 week" : `+${week}`}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {answer.cohorts.map((cohort) => (
          <tr key={cohort.week}>
            <th scope="row">{weekName(cohort)}</th>
            <td class="number">{count(cohort.visitors)}</td>
            {laterWeeks(answer).map((week) => {
              const rate = rateOf(cohort, week)
              return (
                <td key={week} class={`number level-${levelOf(rate ?? 0)}`}>
                  {cohort.returned[week] === undefined ? "" : percent(rate)}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
)

/** How many visitors of a week return in the weeks after it. */
export const Cohorts = () => {
  const { before } = range.value
  const query = { ...filtered.value, from: plusDays(before, -7 * weeks), before, tz: zone.value }
  const loaded = useLoad(`cohorts ${JSON.stringify(query)}`, (signal) =>
    read("/api/analytics/cohorts", query, signal)
  )
  return (
    <Panel
      title="Visitors who return"
      hint={`the ${weeks} weeks to the end of the range`}
      loaded={loaded}
      isTable
      isEmpty={({ cohorts }) => cohorts.length === 0}
      empty={`No new visitors in the ${weeks} weeks to the end of the range.`}
      summary={summaryOf}
      table={(answer) => ({
        titles: ["First click in the week of", "New visitors", ...laterWeeks(answer).map(titleOf)],
        rows: answer.cohorts.map((cohort) => [
          weekName(cohort),
          cohort.visitors,
          ...laterWeeks(answer).map((week) => rateOf(cohort, week))
        ])
      })}
    >
      {(answer) => <CohortTable answer={answer} />}
    </Panel>
  )
}
