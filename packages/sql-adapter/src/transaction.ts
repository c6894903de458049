import { Effect } from "effect"
import { type SqlClient, SqlError } from "effect/sql"

/**
 * Runs an effect in a transaction: commits when it succeeds, rolls back when it fails.
 *
 * `sql.withTransaction` alone dies when the connection is lost, because then the rollback fails too. Here that is a `SqlError`,
 * which the caller may retry.
 */
export const transaction = <A, E, R>(
  sql: SqlClient.SqlClient,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, R> =>
  Effect.catchDefect(sql.withTransaction(effect), (defect) =>
    SqlError.isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect)
  )
