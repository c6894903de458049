import { useState } from "preact/hooks"
import { change, read } from "../../api/client.ts"
import type { AnswerOf } from "../../api/endpoints.ts"
import { useLoad } from "../../api/useLoad.ts"
import { Panel, Problem } from "../../parts/Panel.tsx"
import { Scroll } from "../../parts/Scroll.tsx"
import { dateTime } from "../../state/dates.ts"
import { zone } from "../../state/range.ts"
import { Confirmed } from "./Confirmed.tsx"
import { useChange } from "./useChange.ts"

const path = "/api/tasks/schedules/high-frequency"
type Answer = AnswerOf<"GET", typeof path>
type Schedule = Answer["schedules"][number]

const maxMinutes = 1440

const time = (instant: string | null): string => (instant === null ? "never" : dateTime(instant, zone.value))

interface Changing {
  readonly isBusy: boolean
  readonly run: (change: () => Promise<unknown>) => Promise<void>
}

const set = (id: string, body: { readonly interval_minutes?: number; readonly enabled?: boolean }) =>
  change("PUT", `${path}/:id`, { id, body })

const Row = ({ isBusy, run, schedule }: Changing & { readonly schedule: Schedule }) => {
  const { enabled, interval_minutes, last_run_at, next_run_at, store_id } = schedule
  const setInterval = (text: string) => {
    const minutes = Number(text)
    if (minutes !== interval_minutes) run(() => set(store_id, { interval_minutes: minutes }))
  }
  return (
    <tr>
      <th scope="row">
        <bdi>{store_id}</bdi>
      </th>
      <td>
        <input
          type="number"
          aria-label={`Minutes between crawls of ${store_id}`}
          min={1}
          max={maxMinutes}
          value={interval_minutes}
          disabled={isBusy}
          onChange={({ currentTarget: { value } }) => setInterval(value)}
        />{" "}
        minutes
      </td>
      <td>{time(last_run_at)}</td>
      <td>{enabled ? time(next_run_at) : "–"}</td>
      <td>
        <button
          type="button"
          disabled={isBusy}
          aria-pressed={enabled}
          aria-label={`${store_id} is crawled`}
          onClick={() => run(() => set(store_id, { enabled: !enabled }))}
        >
          {enabled ? "Enabled" : "Disabled"}
        </button>{" "}
        <Confirmed
          title="Delete"
          label={`the schedule of ${store_id}`}
          disabled={isBusy}
          run={() => run(() => change("DELETE", `${path}/:id`, { id: store_id }))}
        />
      </td>
    </tr>
  )
}

const NewSchedule = ({ isBusy, run }: Changing) => {
  const [store, setStore] = useState("")
  const [minutes, setMinutes] = useState("60")
  const add = (event: Event) => {
    event.preventDefault()
    run(async () => {
      await set(store.trim(), { interval_minutes: Number(minutes) })
      setStore("")
    })
  }
  return (
    <form class="change-form" onSubmit={add}>
      <input
        type="text"
        aria-label="Store to crawl"
        placeholder="store id"
        required
        value={store}
        onInput={({ currentTarget }) => setStore(currentTarget.value)}
      />
      <span>every</span>
      <input
        type="number"
        aria-label="Minutes between crawls"
        min={1}
        max={maxMinutes}
        required
        value={minutes}
        onInput={({ currentTarget }) => setMinutes(currentTarget.value)}
      />
      <span>minutes</span>
      <button type="submit" disabled={isBusy}>
        Set schedule
      </button>
    </form>
  )
}

/** How often each store is crawled. */
export const Schedules = () => {
  const loaded = useLoad("schedules", (signal) => read(path, {}, signal))
  const { isBusy, problem, run } = useChange()
  return (
    <Panel
      title="Schedules"
      hint="recurring crawls of stores"
      loaded={loaded}
      isTable
      isEmpty={({ schedules }) => schedules.length === 0}
      empty="No schedules yet."
      table={({ schedules }) => ({
        titles: ["Store", "Minutes", "Enabled", "Last run", "Next run"],
        rows: schedules.map((each) => [
          each.store_id,
          each.interval_minutes,
          each.enabled ? "yes" : "no",
          each.last_run_at,
          each.next_run_at
        ])
      })}
      footer={
        <>
          {problem !== "" && <Problem status={0} message={problem} />}
          <NewSchedule isBusy={isBusy} run={run} />
        </>
      }
    >
      {({ schedules }) => (
        <Scroll label="Schedules, table">
          <table class="system">
            <thead>
              <tr>
                {["Store", "Every", "Last run", "Next run", "Action"].map((title) => (
                  <th scope="col" key={title}>
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {schedules.map((schedule) => (
                <Row key={schedule.store_id} schedule={schedule} isBusy={isBusy} run={run} />
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </Panel>
  )
}
