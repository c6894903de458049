import { useState } from "preact/hooks"
import { urlOf } from "../api/client.ts"
import { type Click, useStream } from "../api/useStream.ts"
import { type Column, Table } from "../parts/Table.tsx"
import { Value } from "../parts/Value.tsx"
import { timeOfDay } from "../state/dates.ts"
import { filtered, filterFields } from "../state/filters.ts"
import { actionNames, count } from "../state/format.ts"
import { zone } from "../state/range.ts"

const fields = [
  "product_id",
  "store_id",
  "brand_id",
  "campaign_id",
  "source",
  "device_type",
  "visitor_id"
] as const

const columns: ReadonlyArray<Column<Click>> = [
  { title: "Time", class: "time", show: ({ occurred_at }) => timeOfDay(occurred_at, zone.value) },
  {
    title: "Action",
    show: ({ action }) => <span class={`action ${action}`}>{actionNames[action]?.replace(/s$/, "")}</span>
  },
  ...fields.map((field) => ({
    title: filterFields[field],
    show: (click: Click) => click[field] !== null && <Value field={field} value={click[field]} />
  }))
]

const states = {
  connecting: "Connecting …",
  open: "Connected",
  lost: "The stream has ended. Reload the page to reconnect."
} as const

/** Clicks as they arrive. */
export const Live = () => {
  const [isPaused, setIsPaused] = useState(false)
  const { clicks, perMinute, received, state } = useStream(
    urlOf("/api/events/product-clicks/stream", filtered.value),
    isPaused
  )
  return (
    <>
      <h1>Live</h1>
      <section class="panel" aria-labelledby="live">
        <header>
          <h2 id="live">Clicks as they arrive</h2>
          <div class="tools">
            <span class={`state ${state}`} role="status">
              {states[state]}
            </span>
            <button type="button" aria-pressed={isPaused} onClick={() => setIsPaused(!isPaused)}>
              {isPaused ? "Resume" : "Pause"}
            </button>
          </div>
        </header>
        <p class="summary">
          <strong class="rate">{count(perMinute)}</strong> in the last minute, {count(received)} since this
          screen was opened.
        </p>
        {clicks.length === 0 ? (
          <p class="empty">Waiting for the next click.</p>
        ) : (
          <Table
            label="The latest clicks"
            class="live"
            columns={columns}
            rows={clicks}
            keyOf={({ id }) => id}
          />
        )}
      </section>
    </>
  )
}
