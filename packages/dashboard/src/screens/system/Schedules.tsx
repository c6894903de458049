import { useState } from "preact/hooks"
import { change, finds } from "../../api/client.ts"
import type { AnswerOf } from "../../api/endpoints.ts"
import { useRead } from "../../api/useLoad.ts"
import { Panel } from "../../parts/Panel.tsx"
import { type Column, time } from "../../parts/Table.tsx"
import { ChangeForm } from "./ChangeForm.tsx"
import { Confirmed } from "./Confirmed.tsx"
import { Switch } from "./Switch.tsx"
import { type Changing, useChange } from "./useChange.ts"

const path = "/api/tasks/schedules/high-frequency"
type Schedule = AnswerOf<"GET", typeof path>["schedules"][number]

const set = (id: string, body: { readonly interval_minutes?: number; readonly enabled?: boolean }) =>
  change("PUT", `${path}/:id`, { id, body })

const minutes = { type: "number", min: 1, max: 1440 } as const

const columnsOf = (changing: Changing): ReadonlyArray<Column<Schedule>> => [
  { title: "Store", value: ({ store_id }) => store_id },
  {
    title: "Minutes",
    value: ({ interval_minutes }) => interval_minutes,
    show: ({ interval_minutes, store_id }) => (
      <input
        {...minutes}
        aria-label={`Minutes between crawls of ${store_id}`}
        value={interval_minutes}
        disabled={changing.isBusy}
        onChange={({ currentTarget: { valueAsNumber } }) =>
          changing.run(() => set(store_id, { interval_minutes: valueAsNumber }))
        }
      />
    )
  },
  time("Last run", ({ last_run_at }) => last_run_at),
  time("Next run", ({ next_run_at }) => next_run_at),
  {
    title: "Enabled",
    value: ({ enabled }) => (enabled ? "yes" : "no"),
    show: ({ enabled, store_id }) => (
      <Switch
        label={`${store_id} is crawled`}
        isOn={enabled}
        changing={changing}
        set={(isOn) => set(store_id, { enabled: isOn })}
      />
    )
  },
  {
    title: "Action",
    show: ({ store_id: id }) => (
      <Confirmed
        title="Delete"
        label={`the schedule of ${id}`}
        changing={changing}
        change={() => change("DELETE", `${path}/:id`, { id })}
      />
    )
  }
]

/** A sentence about a store that is not known, so that a misspelt one is noticed before its crawls fail. */
const warningAbout = async (store: string): Promise<string> =>
  (await finds("/api/payloads/store/:id/query", store, { limit: "1" }))
    ? ""
    : `Store ${store} is unknown. Its crawls fail until "clicks tasks discover" finds it.`

/** How often each store is crawled. */
export const Schedules = () => {
  const [warning, setWarning] = useState("")
  const { run, ...state } = useChange()
  const changing: Changing = {
    ...state,
    run: (change) => {
      setWarning("")
      return run(change)
    }
  }
  const create = async ({ every, store = "" }: Readonly<Record<string, string>>) => {
    await set(store, { interval_minutes: Number(every) })
    setWarning(await warningAbout(store))
  }
  return (
    <Panel
      title="Schedules"
      hint="recurring crawls of stores"
      loaded={useRead(path, {})}
      empty="No schedules yet."
      problem={changing.problem}
      table={({ schedules }) => ({ columns: columnsOf(changing), rows: schedules })}
      footer={
        <>
          <ChangeForm title="Set schedule" changing={changing} send={create}>
            <input type="text" name="store" aria-label="Store to crawl" placeholder="store id" required />
            <span>every</span>
            <input {...minutes} name="every" aria-label="Minutes between crawls" required defaultValue="60" />
            <span>minutes</span>
          </ChangeForm>
          <output>{warning}</output>
        </>
      }
    />
  )
}
