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

/** The service loses its connections and the server has no slot for new ones: `too many connections`. */
export const noSlots = underLoad(
  {},
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const name = role((yield* TestDatabase).url)
    const slots = (limit: number) =>
      sql
        .unsafe(`alter role "${name}" connection limit ${limit}`)
        .pipe(
          Effect.andThen(
            sql`select pg_terminate_backend(pid)::text from pg_stat_activity where usename = ${name}`
          )
        )
    for (const [at, time] of times.entries()) {
      yield* acknowledged(300)
      // One slot is also too few, because statements wait for each other.
      yield* slots(at % 2)
      yield* lasting(time)
      yield* slots(-1)
    }
    return times.length
  })
)
