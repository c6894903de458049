import { type ApiKey, generateSecret, hashSecret } from "@clicks/core/access/ApiKey"
import { ApiKeys, type NewApiKey, type RevocationSignal } from "@clicks/core/access/ApiKeys"
import * as Uuid from "@clicks/core/values/Uuid"
import { PgClient } from "@effect/sql-pg"
import { Array, Clock, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { notifications } from "../notifications.ts"
import { operations } from "../operations.ts"

const channel = "clicks_revoked_keys"

// The last use is exact to a minute, so that not every request writes.
const rememberedEvery = 60_000

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { operation } = operations(sql, "ApiKeys", "API keys")
  const pg = yield* PgClient.PgClient
  const columns = sql.literal("id, user_id, role, name, created_at, last_used_at, revoked_at")

  const create = operation("create", function* (input: NewApiKey) {
    const secret = yield* generateSecret
    const hash = yield* hashSecret(secret)
    const now = yield* Clock.currentTimeMillis
    const created_at = new Date(now)
    const id = Uuid.make(now)
    yield* sql`
    insert into api_keys (id, secret_hash, user_id, role, name, created_at)
    values (${id}, ${hash}, ${input.user_id}, ${input.role}, ${input.name}, ${created_at})`
    const key: ApiKey = { ...input, id, created_at, last_used_at: null, revoked_at: null }
    return { key, secret: Redacted.make(secret) }
  })

  // A failure is only logged: a key is valid even if the database is read-only.
  const remember = (key: ApiKey, now: number): Effect.Effect<void> =>
    sql`update api_keys set last_used_at = ${new Date(now)}
        where id = ${key.id} and (last_used_at is null or last_used_at <= ${new Date(now - rememberedEvery)})`.pipe(
      Effect.ignore({ log: "Warn", message: "Updating the last use of an API key failed" })
    )

  const verify = operation("verify", function* (secret: Redacted.Redacted) {
    const hash = yield* hashSecret(Redacted.value(secret))
    const [key] = yield* sql<ApiKey>`
    select ${columns} from api_keys where secret_hash = ${hash} and revoked_at is null`
    if (key === undefined) return Option.none()
    const now = yield* Clock.currentTimeMillis
    if (key.last_used_at !== null && now - key.last_used_at.getTime() < rememberedEvery)
      return Option.some(key)
    yield* remember(key, now)
    return Option.some({ ...key, last_used_at: new Date(now) })
  })

  const list = operation("list", function* () {
    return yield* sql<ApiKey>`select ${columns} from api_keys order by created_at desc, id desc`
  })

  const revoke = operation("revoke", function* (id: string) {
    if (!Uuid.isUuid(id)) return Option.none()
    const now = new Date(yield* Clock.currentTimeMillis)
    const revoked = yield* sql<ApiKey>`
    with revoked as (
      update api_keys set revoked_at = coalesce(revoked_at, ${now}) where id = ${id} returning ${columns}
    ), notified as materialized (select pg_notify(${channel}, ${id}) from revoked)
    select revoked.* from revoked, notified`
    return Array.head(revoked)
  })

  return ApiKeys.of({
    create,
    verify,
    list: list(),
    revoke,
    revocations: notifications<RevocationSignal>(pg, channel, {
      connected: { _tag: "Listening" },
      heard: (id) => ({ _tag: "Revoked", id }),
      lost: { _tag: "Deaf" },
      // Without notifications, streams of a revoked key continue, and clicks during an outage have no user.
      longestPause: "500 millis"
    })
  })
})

/** Keeps keys in the table `api_keys`. */
export const layer = Layer.effect(ApiKeys, make)
