import { Effect } from "effect"
import { type SqlClient, SqlError } from "effect/sql"

/**
 * Runs an effect in a transaction: commits if it succeeds, rolls back if it fails.
 *
 * If the connection is lost, `sql.withTransaction` alone dies, because the rollback fails too. This function fails with a `SqlError`, so
 * that the caller can retry.
 */
export const transaction = <A, E, R>(
  sql: SqlClient.SqlClient,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, R> =>
  Effect.catchDefect(sql.withTransaction(effect), (defect) =>
    SqlError.isSqlError(defect) ? Effect.fail(defect) : Effect.die(defect)
  )
