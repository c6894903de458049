import type { AnswerOf } from "../../api/endpoints.ts"
import { useRead } from "../../api/useLoad.ts"
import { Panel } from "../../parts/Panel.tsx"
import { type Column, number, type TableData } from "../../parts/Table.tsx"
import { bucketName } from "../../state/dates.ts"
import { plusDays } from "../../state/days.ts"
import { filtered } from "../../state/filters.ts"
import { count, percent, ratio } from "../../state/format.ts"
import { dateIn, range, zone } from "../../state/range.ts"

type Answer = AnswerOf<"GET", "/api/analytics/cohorts">
type Cohort = Answer["cohorts"][number]

const weeks = 12

const weekName = ({ week }: Cohort) => bucketName(week, "week", zone.value).replace("Week of ", "")

const rateOf = ({ returned, visitors }: Cohort, week: number) => ratio(returned[week], visitors)

// Without the week of the first click, in which all visitors of the cohort clicked.
const laterWeeks = ({ cohorts }: Answer) =>
  Array.from({ length: Math.max(0, ...cohorts.map(({ returned }) => returned.length - 1)) }, (_, n) => n + 1)

const titleOf = (week: number) => (week === 1 ? "1 week later" : `${week} weeks later`)

/** Whether a week after the first click has ended. Until then, more visitors may return in it. */
const hasEnded = (cohort: Cohort, week: number): boolean => {
  const end = plusDays(dateIn(zone.value, Date.parse(cohort.week)), 7 * (week + 1))
  return end <= range.value.before && end <= dateIn(zone.value)
}

const summaryOf = ({ cohorts }: Answer): string => {
  const complete = cohorts.filter((cohort) => hasEnded(cohort, 1))
  const sum = (valueOf: (cohort: Cohort) => number) =>
    complete.reduce((total, cohort) => total + valueOf(cohort), 0)
  const rate = ratio(
    sum(({ returned }) => returned[1] ?? 0),
    sum(({ visitors }) => visitors)
  )
  const isOpen = cohorts.some(
    (cohort) => cohort.returned.length > 1 && !hasEnded(cohort, cohort.returned.length - 1)
  )
  return rate === null
    ? "The return rate needs two whole weeks of clicks."
    : `${percent(rate)} of new visitors clicked again a week later.${isOpen ? " Weeks marked * are not over yet." : ""}`
}

const rate = (week: number): Column<Cohort> => ({
  ...number(titleOf(week), (cohort) => rateOf(cohort, week)),
  head: week === 1 ? "+1 week" : `+${week}`,
  tint: (cohort) => Math.sqrt(rateOf(cohort, week) ?? 0),
  show: (cohort) =>
    cohort.returned[week] === undefined
      ? ""
      : `${percent(rateOf(cohort, week))}${hasEnded(cohort, week) ? "" : "*"}`
})

/** The share of new visitors of a week who return in each of the following weeks. */
export const Cohorts = () => {
  const { before } = range.value
  const query = { ...filtered.value, from: plusDays(before, -7 * weeks), before, tz: zone.value }
  return (
    <Panel
      title="Visitors who return"
      hint={`in the ${weeks} weeks before the end of the range`}
      loaded={useRead("/api/analytics/cohorts", query)}
      empty={`No new visitors in the ${weeks} weeks before the end of the range.`}
      summary={summaryOf}
      table={(answer): TableData<Cohort> => ({
        columns: [
          { title: "First click in the week of", value: weekName },
          number("New visitors", ({ visitors }) => visitors, count),
          ...laterWeeks(answer).map(rate)
        ],
        rows: answer.cohorts,
        class: "cohorts"
      })}
    />
  )
}
