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

// If the server is dead, TCP would retransmit LISTEN for a quarter of an hour.
const listenTimeout = "5 seconds"

const listen = Effect.gen(function* () {
  const pg = yield* PgClient.PgClient
  const heard = yield* Effect.timeout(pg.listen(channel), listenTimeout)
  return Stream.concat(
    Stream.succeed<RevocationSignal>({ _tag: "Listening" }),
    Stream.map(Stream.fromQueue(heard), toSignal)
  )
})

// The interval of the spool's drain.
const pause = "500 millis"

/** Revocations by all processes. `Deaf` means that the listening connection failed; it is retried. */
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
