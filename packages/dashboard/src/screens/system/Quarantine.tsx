import { read } from "../../api/client.ts"
import { useLoad } from "../../api/useLoad.ts"
import { Panel } from "../../parts/Panel.tsx"
import { dateTime } from "../../state/dates.ts"
import { count } from "../../state/format.ts"
import { zone } from "../../state/range.ts"

/** What was sent, where it could not be stored so. */
export const Quarantine = () => {
  const loaded = useLoad("quarantine", (signal) => read("/api/admin/quarantine", { limit: "50" }, signal))
  return (
    <Panel
      title="Quarantine"
      hint="originals of clicks that could not be stored as sent"
      loaded={loaded}
      isTable
      isEmpty={({ total }) => total === 0}
      empty="The quarantine is empty: all clicks were stored as sent."
      summary={({ entries, total }) =>
        total > entries.length
          ? `${count(total)} originals; the latest ${entries.length} are shown.`
          : `${count(total)} ${total === 1 ? "original" : "originals"}.`
      }
      table={({ entries }) => ({
        titles: ["Received", "Reason", "Click", "Original"],
        rows: entries.map((entry) => [entry.received_at, entry.reason, entry.click_id, entry.original])
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
}
