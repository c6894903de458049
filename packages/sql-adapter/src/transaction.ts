import { Cause, Effect, Option } from "effect"
import { type SqlClient, SqlError } from "effect/sql"

const findLost = (cause: Cause.Cause<unknown>): Option.Option<SqlError.SqlError> => {
  const defects = cause.reasons.filter(Cause.isDieReason).map((reason) => reason.defect)
  return Option.fromUndefinedOr(defects.find(SqlError.isSqlError))
}

/**
 * Runs an effect in a transaction of its own: all of it is committed, or nothing when it fails.
 *
 * `sql.withTransaction` alone dies when the connection is lost in the middle, because then the rollback fails as well. Here
 * that is what it is, a `SqlError` that a caller may try again.
 */
export const transaction = <A, E, R>(
  sql: SqlClient.SqlClient,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, R> =>
  Effect.catchCauseIf(
    sql.withTransaction(effect),
    (cause) => Option.isSome(findLost(cause)),
    (cause) => Option.match(findLost(cause), { onNone: () => Effect.failCause(cause), onSome: Effect.fail })
  )
