import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestDatabase } from "../../../../sql-adapter/test/TestDatabase.ts"
import { role } from "../FaultStage.ts"
import { isSabotaged, scale } from "../Scale.ts"
import { acknowledged, lasting, underLoad } from "../Trial.ts"

// A click waits two seconds for the database before it is spooled. Sabotages of the spool show only after that.
const times = scale(
  [isSabotaged ? 2500 : 1000],
  Array.from({ length: 10 }, (_, at) => 500 * at)
)

/** The database becomes read-only, as a replica is, and its sessions are ended. */
export const readOnly = underLoad(
  {},
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { url } = yield* TestDatabase
    const name = role(url)
    const become = (isReadOnly: "on" | "off") =>
      sql
        .unsafe(`alter role "${name}" set default_transaction_read_only = ${isReadOnly}`)
        .pipe(
          Effect.andThen(
            sql`select pg_terminate_backend(pid)::text from pg_stat_activity where usename = ${name}`
          )
        )
    for (const time of times) {
      yield* acknowledged(300)
      yield* become("on")
      yield* lasting(time)
      yield* become("off")
    }
    return times.length
  })
)
