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

const path = "/api/admin/keys"
type Answer = AnswerOf<"GET", typeof path>

const roles = ["reader", "admin"] as const

const time = (instant: string | null): string => (instant === null ? "never" : dateTime(instant, zone.value))

const stateOf = ({ last_used_at, revoked_at }: Answer["keys"][number]): string =>
  revoked_at === null ? `Last used: ${time(last_used_at)}` : `Revoked: ${time(revoked_at)}`

interface NewKeyProps {
  readonly isBusy: boolean
  readonly run: (change: () => Promise<unknown>) => Promise<void>
}

/** Creates a key, and shows its secret once. */
const NewKey = ({ isBusy, run }: NewKeyProps) => {
  const [user, setUser] = useState("")
  const [role, setRole] = useState<(typeof roles)[number]>("reader")
  const [secret, setSecret] = useState("")
  const create = (event: Event) => {
    event.preventDefault()
    setSecret("")
    run(async () => {
      const created = await change("POST", path, { body: { user_id: user.trim(), role } })
      setSecret(created.secret)
      setUser("")
    })
  }
  return (
    <>
      <form class="change-form" onSubmit={create}>
        <input
          type="text"
          aria-label="User of the new key"
          placeholder="user, such as anna"
          required
          maxLength={200}
          value={user}
          onInput={({ currentTarget }) => setUser(currentTarget.value)}
        />
        <select
          aria-label="Role of the new key"
          value={role}
          onChange={({ currentTarget: { value } }) => setRole(value === "admin" ? "admin" : "reader")}
        >
          {roles.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <button type="submit" disabled={isBusy}>
          Create key
        </button>
      </form>
      <output class="secret">
        {secret !== "" && (
          <>
            <code>{secret}</code> Save this key: it is not shown again.
          </>
        )}
      </output>
    </>
  )
}

/** The keys of readers and admins. */
export const Keys = () => {
  const loaded = useLoad("keys", (signal) => read(path, {}, signal))
  const { isBusy, problem, run } = useChange()
  return (
    <Panel
      title="Keys"
      loaded={loaded}
      isTable
      isEmpty={({ total }) => total === 0}
      empty="No keys yet."
      table={({ keys }) => ({
        titles: ["User", "Role", "Name", "Created", "Last used", "Revoked"],
        rows: keys.map((key) => [
          key.user_id,
          key.role,
          key.name,
          key.created_at,
          key.last_used_at,
          key.revoked_at
        ])
      })}
      footer={
        <>
          {problem !== "" && <Problem status={0} message={problem} />}
          <NewKey isBusy={isBusy} run={run} />
        </>
      }
    >
      {({ keys }) => (
        <Scroll label="Keys, table">
          <table class="system">
            <thead>
              <tr>
                {["User", "Role", "Name", "Created", "Use", "Action"].map((title) => (
                  <th scope="col" key={title}>
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {keys.map((key) => (
                <tr key={key.id} class={key.revoked_at === null ? "" : "past"}>
                  <th scope="row">
                    <bdi>{key.user_id}</bdi>
                  </th>
                  <td>{key.role}</td>
                  <td class="text">
                    <bdi>{key.name}</bdi>
                  </td>
                  <td>{time(key.created_at)}</td>
                  <td>{stateOf(key)}</td>
                  <td>
                    {key.revoked_at === null && (
                      <Confirmed
                        title="Revoke"
                        label={`the key of ${key.user_id}`}
                        disabled={isBusy}
                        run={() => run(() => change("DELETE", `${path}/:id`, { id: key.id }))}
                      />
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </Panel>
  )
}
