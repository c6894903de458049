import { hashSecret } from "@clicks/core/access/ApiKey"
import { ApiKeys } from "@clicks/core/access/ApiKeys"
import { Sessions } from "@clicks/core/access/Sessions"
import { Effect, Redacted } from "effect"
import { Settings } from "../settings/Settings.ts"

/** The key with which the link logs in: `CLICKS_ADMIN_KEY` or an admin key of the user `admin`. Revoking it ends the sessions. */
const operatorKey = Effect.gen(function* () {
  const { adminKey } = yield* Settings
  if (adminKey !== undefined) return yield* hashSecret(Redacted.value(adminKey))
  const keys = yield* ApiKeys
  const found = (yield* keys.list).find(
    ({ revoked_at, role, user_id }) => role === "admin" && user_id === "admin" && revoked_at === null
  )
  if (found !== undefined) return found.id
  const { key } = yield* keys.create({ user_id: "admin", role: "admin", name: "made by a login link" })
  return key.id
})

/** A link that logs in to the dashboard as admin, once and within a minute. The token is in the fragment, so no server logs it. */
export const loginLink = Effect.fnUntraced(function* (url: string) {
  const { begin } = yield* Sessions
  const { token } = yield* begin("link", yield* operatorKey)
  return `${url}/#login=${Redacted.value(token)}`
})
