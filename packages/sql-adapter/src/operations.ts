import { portError } from "@clicks/core/values/PortError"
import { Effect, identity } from "effect"
import { type SqlClient, SqlError } from "effect/sql"
import { transaction } from "./transaction.ts"

type Around = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | SqlError.SqlError, R>

/**
 * Creates the operations of a service from generators; those made with `atomic` run in a transaction. Each has a span, and fails with the
 * port's error if a statement fails.
 */
export const operations = (sql: SqlClient.SqlClient, service: string, port: string) => {
  const toError = portError(port)
  const within =
    (around: Around) =>
    <Args extends ReadonlyArray<unknown>, Step extends Effect.Effect<unknown, unknown, unknown>, A>(
      name: string,
      body: (...args: Args) => Generator<Step, A, never>
    ) =>
    (...args: Args) =>
      around(Effect.gen(() => body(...args))).pipe(
        Effect.catchIf(SqlError.isSqlError, toError(name)),
        Effect.withSpan(`${service}.${name}`)
      )
  return { operation: within(identity), atomic: within((effect) => transaction(sql, effect)) }
}
