import { Effect, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import * as Database from "../../packages/sql-adapter/src/Database.ts"

/** Runs an effect and polls a count in the database. Returns the highest count. */
export const watching = async <A>(url: string, count: string, run: () => Promise<A>) => {
  let most = 0
  const look = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql.unsafe<{ readonly held: number }>(count)
    most = Math.max(most, row?.held ?? 0)
  })
  const abort = new AbortController()
  const looking = look.pipe(
    Effect.repeat(Schedule.spaced("20 millis")),
    Effect.provide(Database.layer({ url: Redacted.make(url), maxConnections: 1 })),
    (effect) => Effect.runPromiseExit(effect, { signal: abort.signal })
  )
  const result = await run()
  abort.abort()
  await looking
  return { result, most }
}
