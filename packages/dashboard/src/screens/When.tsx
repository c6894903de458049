import type { AnswerOf } from "../api/endpoints.ts"
import { useRead } from "../api/useLoad.ts"
import { HeatMap, hourName } from "../charts/HeatMap.tsx"
import { Panel } from "../parts/Panel.tsx"
import { number } from "../parts/Table.tsx"
import { bucketName, weekdays } from "../state/dates.ts"
import { scope } from "../state/filters.ts"
import { clicksName } from "../state/format.ts"
import { range, zone } from "../state/range.ts"

type Answer = AnswerOf<"GET", "/api/analytics/product-clicks">

const hours = Array.from({ length: 24 }, (_, hour) => hour)

const summaryOf = ({ groups }: Answer): string => {
  const busiest = groups.reduce((most, row) => (row.clicks > most.clicks ? row : most))
  const hour = hourName((busiest.weekday ?? 1) - 1, busiest.hour ?? 0)
  const timeZone = zone.value.replaceAll("_", " ")
  const today = bucketName(new Date().toISOString(), "day", zone.value)
  const note = range.value.isOpen ? ` ${today} is not over yet.` : ""
  return `The busiest hour of the week is ${hour} (${timeZone}), with ${clicksName(busiest.clicks)}.${note}`
}

const tableOf = ({ groups }: Answer) => ({
  columns: [
    { title: "Hour", value: (hour: number) => `${String(hour).padStart(2, "0")}:00` },
    ...weekdays.map((name, day) => number(name, (hour: number) => groups[day * 24 + hour]?.clicks ?? 0))
  ],
  rows: hours
})

/** Clicks by weekday and hour. */
export const When = () => (
  <>
    <h1>When</h1>
    <Panel
      title="Clicks by weekday and hour"
      loaded={useRead("/api/analytics/product-clicks", {
        ...scope.value,
        bucket: "hour-of-week",
        visitors: "false"
      })}
      isEmpty={({ groups }) => groups.every(({ clicks }) => clicks === 0)}
      summary={summaryOf}
      table={tableOf}
    >
      {({ groups }) => (
        <HeatMap label="Clicks by weekday and hour" values={groups.map(({ clicks }) => clicks)} />
      )}
    </Panel>
  </>
)
