import { LinkSecret } from "@clicks/core/clicks/links/LinkSecret"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { operations } from "../operations.ts"

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { operation } = operations(sql, "LinkSecret", "link secret")

  const find = Effect.map(
    sql<{ readonly value: Uint8Array }>`select value from secrets where name = 'links'`,
    ([row]) => row?.value
  )

  const get = operation("get", function* () {
    const found = yield* find
    if (found !== undefined) return found
    const value = crypto.getRandomValues(new Uint8Array(32))
    yield* sql`insert into secrets (name, value) values ('links', ${value}) on conflict do nothing`
    // Another process may have inserted one first.
    return (yield* find) ?? value
  })

  return LinkSecret.of({ get: Effect.suspend(get) })
})

/** Keeps the secret in the table `secrets`, so that all processes have the same one. */
export const layer: Layer.Layer<LinkSecret, never, SqlClient.SqlClient> = Layer.effect(LinkSecret, make)
