import type { AnswerOf } from "../../api/endpoints.ts"
import { useRead } from "../../api/useLoad.ts"
import { Panel } from "../../parts/Panel.tsx"
import { type TableData, time } from "../../parts/Table.tsx"
import { dateTime } from "../../state/dates.ts"
import { count } from "../../state/format.ts"
import { zone } from "../../state/range.ts"

type Entry = AnswerOf<"GET", "/api/admin/quarantine">["entries"][number]

/** The originals of clicks that could not be stored as sent. */
export const Quarantine = () => (
  <Panel
    title="Quarantine"
    hint="originals of clicks that could not be stored as sent"
    loaded={useRead("/api/admin/quarantine", { limit: "50" })}
    empty="The quarantine is empty: all clicks were stored as sent."
    summary={({ entries, total }) =>
      total > entries.length
        ? `${count(total)} originals; the latest ${entries.length} are shown.`
        : `${count(total)} ${total === 1 ? "original" : "originals"}.`
    }
    table={({ entries }): TableData<Entry> => ({
      columns: [
        time("Received", ({ received_at }) => received_at),
        { title: "Reason", value: ({ reason }) => reason },
        { title: "Click", value: ({ click_id }) => click_id },
        { title: "Original", class: "text", value: ({ original }) => original }
      ],
      rows: entries,
      keyOf: ({ click_id, reason }) => `${click_id} ${reason}`
    })}
  >
    {({ entries }) => (
      <ul class="entries">
        {entries.map((entry) => (
          <li key={`${entry.click_id} ${entry.reason}`}>
            <details>
              <summary>
                <span class="hint">{dateTime(entry.received_at, zone.value)}</span> {entry.reason}
              </summary>
              <pre>
                <bdi>{entry.original}</bdi>
              </pre>
              <span class="hint">Click {entry.click_id}</span>
            </details>
          </li>
        ))}
      </ul>
    )}
  </Panel>
)
