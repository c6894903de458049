import type { TrustedOrigin, TrustedOriginFields } from "@clicks/core/access/TrustedOrigin"
import { RepeatedTrustedOrigin, TrustedOrigins } from "@clicks/core/access/TrustedOrigins"
import * as Uuid from "@clicks/core/values/Uuid"
import { Array, Clock, Effect, Layer, Option } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { operations } from "../operations.ts"

// Besides the id, which is new, only the value is unique.
const orRepeated =
  (value: string) =>
  <A>(change: Effect.Effect<A, SqlError.SqlError>) =>
    Effect.catchIf(
      change,
      ({ reason }) => reason._tag === "UniqueViolation",
      () => new RepeatedTrustedOrigin({ value })
    )

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { operation } = operations(sql, "TrustedOrigins", "trusted origins")
  const columns = sql.literal("id, kind, value, name, enabled, created_at, updated_at")

  const list = operation("list", function* () {
    return yield* sql<TrustedOrigin>`
      select ${columns} from trusted_origins order by created_at desc, id desc`
  })

  const add = operation("add", function* (fields: TrustedOriginFields) {
    const now = yield* Clock.currentTimeMillis
    const at = new Date(now)
    const entry: TrustedOrigin = { ...fields, id: Uuid.make(now), created_at: at, updated_at: at }
    yield* sql`
      insert into trusted_origins (${columns})
      values (${entry.id}, ${entry.kind}, ${entry.value}, ${entry.name}, ${entry.enabled}, ${at}, ${at})`.pipe(
      orRepeated(fields.value)
    )
    return entry
  })

  const update = operation("update", function* (id: string, fields: TrustedOriginFields) {
    if (!Uuid.isUuid(id)) return Option.none()
    const now = new Date(yield* Clock.currentTimeMillis)
    const updated = yield* sql<TrustedOrigin>`
      update trusted_origins
      set kind = ${fields.kind}, value = ${fields.value}, name = ${fields.name}, enabled = ${fields.enabled},
        updated_at = ${now}
      where id = ${id}
      returning ${columns}`.pipe(orRepeated(fields.value))
    return Array.head(updated)
  })

  const remove = operation("remove", function* (id: string) {
    if (!Uuid.isUuid(id)) return Option.none()
    const removed =
      yield* sql<TrustedOrigin>`delete from trusted_origins where id = ${id} returning ${columns}`
    return Array.head(removed)
  })

  return TrustedOrigins.of({ list: list(), add, update, remove })
})

/** Keeps the list in the table `trusted_origins`. */
export const layer = Layer.effect(TrustedOrigins, make)
