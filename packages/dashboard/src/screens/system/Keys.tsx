import { useState } from "preact/hooks"
import { change } from "../../api/client.ts"
import type { AnswerOf } from "../../api/endpoints.ts"
import { useRead } from "../../api/useLoad.ts"
import { Panel } from "../../parts/Panel.tsx"
import { type Column, type TableData, time } from "../../parts/Table.tsx"
import { ChangeForm } from "./ChangeForm.tsx"
import { Confirmed } from "./Confirmed.tsx"
import { type Changing, useChange } from "./useChange.ts"

const path = "/api/admin/keys"
type Key = AnswerOf<"GET", typeof path>["keys"][number]

// The end of an id is random; its beginning is the time, which keys created together share.
const shortId = (id: string): string => `…${id.slice(-8)}`

const revoking = (changing: Changing): Column<Key> => ({
  title: "Action",
  show: ({ id, revoked_at, user_id }) =>
    revoked_at === null && (
      <Confirmed
        title="Revoke"
        label={`the key ${shortId(id)} of ${user_id}`}
        changing={changing}
        change={() => change("DELETE", `${path}/:id`, { id })}
      />
    )
})

const columns: ReadonlyArray<Column<Key>> = [
  { title: "User", value: ({ user_id }) => user_id },
  { title: "Id", value: ({ id }) => id, show: ({ id }) => <code title={id}>{shortId(id)}</code> },
  { title: "Role", value: ({ role }) => role },
  { title: "Name", class: "text", value: ({ name }) => name },
  time("Created", ({ created_at }) => created_at),
  time("Last used", ({ last_used_at }) => last_used_at),
  time("Revoked", ({ revoked_at }) => revoked_at)
]

/** Creates a key, and shows its secret once. */
const NewKey = ({ changing }: { readonly changing: Changing }) => {
  const [secret, setSecret] = useState("")
  const create = async ({ role, user_id = "" }: Readonly<Record<string, string>>) => {
    setSecret("")
    const created = await change("POST", path, {
      body: { user_id, role: role === "admin" ? role : "reader" }
    })
    setSecret(created.secret)
  }
  return (
    <>
      <ChangeForm title="Create key" changing={changing} send={create}>
        <input
          type="text"
          name="user_id"
          aria-label="User of the new key"
          placeholder="user, such as anna"
          required
          maxLength={200}
        />
        <select name="role" aria-label="Role of the new key">
          <option>reader</option>
          <option>admin</option>
        </select>
      </ChangeForm>
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
  const changing = useChange()
  return (
    <Panel
      title="Keys"
      loaded={useRead(path, {})}
      empty="No keys yet."
      problem={changing.problem}
      table={({ keys }): TableData<Key> => ({
        columns: [...columns, revoking(changing)],
        rows: keys,
        keyOf: ({ id }) => id,
        rowClass: ({ revoked_at }) => (revoked_at === null ? "" : "past")
      })}
      footer={<NewKey changing={changing} />}
    />
  )
}
