import { hashSecret } from "@clicks/core/access/ApiKey"
import {
  generateToken,
  lifetimes,
  type Session,
  type SessionKind,
  Sessions
} from "@clicks/core/access/Sessions"
import { Array, Clock, Duration, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { operations } from "../operations.ts"

interface Row {
  readonly key: string
  readonly expires_at: Date
  readonly user_id: string | null
  readonly role: NonNullable<Session["owner"]>["role"] | null
}

const toSession = ({ expires_at, key, role, user_id }: Row): Session => ({
  key,
  owner: user_id === null || role === null ? null : { user_id, role },
  expires_at
})

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { operation } = operations(sql, "Sessions", "sessions")

  /** Finds the unexpired session in a table expression. Its owner is null if the key is revoked or is CLICKS_ADMIN_KEY. */
  const current = Effect.fnUntraced(function* (found: Statement.Fragment) {
    const now = new Date(yield* Clock.currentTimeMillis)
    const rows = yield* sql<Row>`
      with found as (${found})
      select found.key, found.expires_at, owner.user_id, owner.role
      from found left join api_keys owner on owner.id::text = found.key and owner.revoked_at is null
      where found.expires_at > ${now}`
    return Option.map(Array.head(rows), toSession)
  })

  const begin = operation("begin", function* (kind: SessionKind, key: string) {
    const token = yield* generateToken
    const now = yield* Clock.currentTimeMillis
    const expires_at = new Date(now + Duration.toMillis(lifetimes[kind]))
    yield* sql`
      with expired as (delete from sessions where expires_at <= ${new Date(now)})
      insert into sessions (token_hash, kind, key, expires_at)
      values (${yield* hashSecret(token)}, ${kind}, ${key}, ${expires_at})`
    return { token: Redacted.make(token), expires_at }
  })

  const find = operation("find", function* (token: Redacted.Redacted) {
    const hash = yield* hashSecret(Redacted.value(token))
    return yield* current(
      sql`select key, expires_at from sessions where token_hash = ${hash} and kind = 'session'`
    )
  })

  const end = operation("end", function* (kind: SessionKind, token: Redacted.Redacted) {
    const hash = yield* hashSecret(Redacted.value(token))
    return yield* current(
      sql`delete from sessions where token_hash = ${hash} and kind = ${kind} returning key, expires_at`
    )
  })

  return Sessions.of({ begin, find, end })
})

/** Keeps sessions in the table `sessions`. */
export const layer: Layer.Layer<Sessions, never, SqlClient.SqlClient> = Layer.effect(Sessions, make)
