import type { AnswerOf } from "../../api/endpoints.ts"
import { useLoad } from "../../api/useLoad.ts"
import { Panel } from "../../parts/Panel.tsx"
import type { TableData } from "../../parts/Table.tsx"
import { bytes, count } from "../../state/format.ts"

interface Checked {
  readonly status: "ok" | "failed"
  readonly checks: AnswerOf<"GET", "/readyz">["checks"]
}

// Answers 503 with the same content when a check fails.
const readHealth = async (signal: AbortSignal): Promise<Checked> =>
  (await fetch("/readyz", { signal })).json()

const shown = (name: string, value: unknown): unknown => {
  if (typeof value === "number") return name.endsWith("bytes") ? bytes(value) : count(value)
  return value === true ? "yes" : value
}

type Check = readonly [name: string, Checked["checks"][string]]

const detailsOf = ({ status: _, ...details }: Check[1]): string =>
  Object.entries(details)
    .filter(([, value]) => value !== null && value !== false)
    .map(([name, value]) => `${name.replaceAll("_", " ")}: ${shown(name, value)}`)
    .join(" · ")

/** The checks of the service: its database and the clicks that wait for it. */
export const Health = () => {
  const loaded = useLoad("health", readHealth)
  return (
    <Panel
      title="Health"
      loaded={loaded}
      summary={({ status }) => (status === "ok" ? "All checks pass." : "A check fails.")}
      table={({ checks }): TableData<Check> => ({
        columns: [
          { title: "Check", value: ([name]) => name },
          { title: "Status", value: ([, { status }]) => status },
          { title: "Details", value: ([, check]) => detailsOf(check) }
        ],
        rows: Object.entries(checks)
      })}
    >
      {({ checks }) => (
        <dl class="checks">
          {Object.entries(checks).map(([name, check]) => (
            <div key={name}>
              <dt>
                <span class={`state ${check.status === "ok" ? "open" : "lost"}`}>{check.status}</span> {name}
              </dt>
              <dd>{detailsOf(check)}</dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  )
}
