import { read } from "../../api/client.ts"
import type { AnswerOf } from "../../api/endpoints.ts"
import { useLoad } from "../../api/useLoad.ts"
import { DataTable, Panel } from "../../parts/Panel.tsx"
import { dateTime } from "../../state/dates.ts"
import { zone } from "../../state/range.ts"

type Answer = AnswerOf<"GET", "/api/tasks/schedules/high-frequency">

const time = (instant: string | null): string => (instant === null ? "never" : dateTime(instant, zone.value))

const tableOf = ({ schedules }: Answer) => ({
  titles: ["Store", "Every (minutes)", "Enabled", "Last run", "Next run"],
  rows: schedules.map((each) => [
    each.store_id,
    each.interval_minutes,
    each.enabled ? "yes" : "no",
    time(each.last_run_at),
    time(each.next_run_at)
  ])
})

/** How often each store is crawled. */
export const Schedules = () => {
  const loaded = useLoad("schedules", (signal) => read("/api/tasks/schedules/high-frequency", {}, signal))
  return (
    <Panel
      title="Schedules"
      loaded={loaded}
      isTable
      isEmpty={({ schedules }) => schedules.length === 0}
      empty="No schedules yet. clicks schedules set makes one."
      table={tableOf}
    >
      {(answer) => <DataTable caption="Schedules" {...tableOf(answer)} />}
    </Panel>
  )
}
