import { change, read } from "../../api/client.ts"
import type { AnswerOf } from "../../api/endpoints.ts"
import { useLoad } from "../../api/useLoad.ts"
import { Panel, Problem } from "../../parts/Panel.tsx"
import { useChange } from "./useChange.ts"

const path = "/api/admin/trusted-origins"
type Answer = AnswerOf<"GET", typeof path>

const effects = { bypass: "reads without a key", cors: "reads cross-origin with a key" } as const

const tableOf = ({ trusted_origins }: Answer) => ({
  titles: ["Value", "Kind", "Name", "Enabled", "Effect"],
  rows: trusted_origins.map(({ effect, enabled, kind, name, value }) => [
    value,
    kind,
    name,
    enabled ? "yes" : "no",
    effects[effect]
  ])
})

/** Clients that are trusted without a key, each with a switch. */
export const TrustedOrigins = () => {
  const loaded = useLoad("origins", (signal) => read(path, {}, signal))
  const { isBusy, problem, run } = useChange()
  return (
    <Panel
      title="Trusted origins"
      loaded={loaded}
      isTable
      isEmpty={({ total }) => total === 0}
      empty="No trusted origins: everyone needs a key. clicks origins add adds one."
      table={tableOf}
    >
      {({ trusted_origins }) => (
        <>
          {problem !== "" && <Problem status={0} message={problem} />}
          <ul class="entries">
            {trusted_origins.map(({ effect, enabled, id, kind, name, value }) => (
              <li key={id}>
                <span>
                  <b>
                    <bdi>{value}</bdi>
                  </b>{" "}
                  <span class="hint">
                    {name ?? kind} · {effects[effect]}
                  </span>
                </span>
                <button
                  type="button"
                  disabled={isBusy}
                  aria-pressed={enabled}
                  aria-label={`${value} is trusted`}
                  onClick={() => run(() => change("PUT", `${path}/:id`, { id, body: { enabled: !enabled } }))}
                >
                  {enabled ? "Enabled" : "Disabled"}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  )
}
