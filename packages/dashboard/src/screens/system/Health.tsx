import { ApiError } from "../../api/client.ts"
import { useLoad } from "../../api/useLoad.ts"
import { Panel } from "../../parts/Panel.tsx"
import type { TableData } from "../../parts/Table.tsx"
import { type Check, type Checks, detailsOf, stateOf } from "./checks.ts"

interface Checked {
  readonly status: "ok" | "failed"
  readonly checks: Checks
}

// When a check fails, the response has status 503 and the same content.
const readHealth = async (signal: AbortSignal): Promise<Checked> => {
  const response = await fetch("/readyz", { signal })
  const found = await response.json()
  if (found.checks === undefined)
    throw new ApiError(
      response.status,
      found.error ?? `The service responded with status ${response.status}.`
    )
  return found
}

const summaryOf = ({ checks, status }: Checked): string => {
  if (status === "failed") return "A check failed."
  const missing = Object.entries(checks).filter(([, check]) => stateOf(check) === "unavailable")
  return missing.length === 0
    ? "All checks passed."
    : `The service works without its ${missing.map(([name]) => name).join(" and ")}.`
}

/** The checks of `/readyz`: the database, the spool and the archive. */
export const Health = () => {
  const loaded = useLoad("health", readHealth)
  return (
    <Panel
      title="Health"
      loaded={loaded}
      summary={summaryOf}
      table={({ checks }): TableData<readonly [name: string, Check]> => ({
        columns: [
          { title: "Check", value: ([name]) => name },
          { title: "Status", value: ([, check]) => stateOf(check) },
          { title: "Details", value: ([name, check]) => detailsOf(name, check) }
        ],
        rows: Object.entries(checks)
      })}
    >
      {({ checks }) => (
        <dl class="checks">
          {Object.entries(checks).map(([name, check]) => (
            <div key={name}>
              <dt>
                <span class={`state ${stateOf(check) === "ok" ? "open" : "lost"}`}>{stateOf(check)}</span>{" "}
                {name}
              </dt>
              <dd>{detailsOf(name, check)}</dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  )
}
