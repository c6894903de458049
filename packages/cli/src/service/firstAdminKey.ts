import { ApiKeys } from "@clicks/core/access/ApiKeys"
import { Effect, Option } from "effect"
import { Settings } from "../settings/Settings.ts"

/**
 * An admin key on the first run, which is when no admin key was ever made; one that was revoked tells that somebody is in
 * charge. None where `CLICKS_ADMIN_KEY` opens the door already.
 */
export const firstAdminKey = Effect.gen(function* () {
  const { adminKey } = yield* Settings
  const keys = yield* ApiKeys
  const known = yield* keys.list
  if (Option.isSome(adminKey) || known.some((key) => key.role === "admin")) return Option.none()
  const { secret } = yield* keys.create({ user_id: "admin", role: "admin", name: "made by the first start" })
  return Option.some(secret)
})
