import { useState } from "preact/hooks"
import { urlOf } from "../api/client.ts"
import { type Click, useStream } from "../api/useStream.ts"
import { Scroll } from "../parts/Scroll.tsx"
import { Value } from "../parts/Value.tsx"
import { timeOfDay } from "../state/dates.ts"
import { filtered } from "../state/filters.ts"
import { actionNames, count } from "../state/format.ts"
import { zone } from "../state/range.ts"

const fields = {
  product_id: "Product",
  store_id: "Store",
  brand_id: "Brand",
  campaign_id: "Campaign",
  source: "Source",
  device_type: "Device",
  visitor_id: "Visitor"
} as const

const LiveRow = ({ click }: { readonly click: Click }) => (
  <tr>
    <td class="time">{timeOfDay(click.occurred_at, zone.value)}</td>
    <td>
      <span class={`action ${click.action}`}>{actionNames[click.action]?.replace(/s$/, "")}</span>
    </td>
    {(Object.keys(fields) as ReadonlyArray<keyof typeof fields>).map((field) => (
      <td key={field}>{click[field] !== null && <Value field={field} value={click[field]} />}</td>
    ))}
  </tr>
)

const states = {
  connecting: "Connecting …",
  open: "Connected",
  lost: "The stream has ended. Reload the page to connect again."
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
          <Scroll label="The latest clicks">
            <table class="live">
              <thead>
                <tr>
                  <th scope="col">Time</th>
                  <th scope="col">Action</th>
                  {Object.values(fields).map((title) => (
                    <th scope="col" key={title}>
                      {title}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {clicks.map((click) => (
                  <LiveRow key={click.id} click={click} />
                ))}
              </tbody>
            </table>
          </Scroll>
        )}
      </section>
    </>
  )
}
