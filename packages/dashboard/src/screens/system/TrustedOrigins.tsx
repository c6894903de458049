import { change } from "../../api/client.ts"
import type { AnswerOf } from "../../api/endpoints.ts"
import { useRead } from "../../api/useLoad.ts"
import { Panel } from "../../parts/Panel.tsx"
import type { Column } from "../../parts/Table.tsx"
import { Switch } from "./Switch.tsx"
import { type Changing, useChange } from "./useChange.ts"

const path = "/api/admin/trusted-origins"
type Origin = AnswerOf<"GET", typeof path>["trusted_origins"][number]

const effects = { bypass: "reads without a key", cors: "reads cross-origin with a key" } as const

const columnsOf = (changing: Changing): ReadonlyArray<Column<Origin>> => [
  { title: "Value", value: ({ value }) => value },
  { title: "Kind", value: ({ kind }) => kind },
  { title: "Name", class: "text", value: ({ name }) => name },
  { title: "Effect", value: ({ effect }) => effects[effect] },
  {
    title: "Enabled",
    value: ({ enabled }) => (enabled ? "yes" : "no"),
    show: ({ enabled, id, value }) => (
      <Switch
        label={`${value} is trusted`}
        isOn={enabled}
        changing={changing}
        set={(isOn) => change("PUT", `${path}/:id`, { id, body: { enabled: isOn } })}
      />
    )
  }
]

/** Trusted origins, each with a switch. */
export const TrustedOrigins = () => {
  const changing = useChange()
  return (
    <Panel
      title="Trusted origins"
      loaded={useRead(path, {})}
      empty="No trusted origins: everyone needs a key. To add one, run clicks origins add."
      problem={changing.problem}
      table={({ trusted_origins }) => ({ columns: columnsOf(changing), rows: trusted_origins })}
    />
  )
}
