import type { RevocationSignal } from "@clicks/core/access/ApiKeys"
import { PgClient } from "@effect/sql-pg"
import { Effect, Schedule, Stream } from "effect"
import type { SqlClient, Statement } from "effect/sql"

const channel = "clicks_revoked_keys"

/** An expression that notifies every listener when its transaction is committed. */
export const notifyRevoked = (sql: SqlClient.SqlClient, id: string): Statement.Fragment =>
  sql`pg_notify(${channel}, ${id})`

const toSignal = ({ payload }: { readonly payload: string }): RevocationSignal => ({
  _tag: "Revoked",
  id: payload
})

// On a connection whose server vanished without a word, TCP would send LISTEN again for a quarter of an hour.
const patience = "5 seconds"

const listen = Effect.gen(function* () {
  const pg = yield* PgClient.PgClient
  const heard = yield* Effect.timeout(pg.listen(channel), patience)
  return Stream.concat(
    Stream.succeed<RevocationSignal>({ _tag: "Listening" }),
    Stream.map(Stream.fromQueue(heard), toSignal)
  )
})

// As often as the drain of the spool tries.
const pause = "500 millis"

/** Revocations by any process. Each attempt to listen ends with `Deaf` when its connection is lost. */
export const revocations: Stream.Stream<RevocationSignal, never, PgClient.PgClient> = Stream.unwrap(
  listen
).pipe(
  Stream.catch((error) =>
    Stream.fromEffect(Effect.logDebug("Listening for key revocations failed", error)).pipe(
      Stream.map((): RevocationSignal => ({ _tag: "Deaf" }))
    )
  ),
  Stream.repeat(Schedule.spaced(pause))
)
