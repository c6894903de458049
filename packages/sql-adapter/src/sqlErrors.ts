import { PgTypes } from "@effect/sql-pg"
import type { SqlError } from "effect/sql"

/** The class of PostgreSQL's error code, which is its first two characters; empty if the error is not PostgreSQL's. */
const classOf = ({ cause }: SqlError.SqlError["reason"]): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code.slice(0, 2) : ""

// Classes of errors that waiting may resolve: connection lost, no connections or space left, server shut down or starting.
const transient = new Set(["08", "53", "57"])

// Classes of errors about values: data exceptions, violated constraints, and values beyond the server's limits (an index entry that is too
// long).
const ofValues = new Set(["22", "23", "54"])

/**
 * Whether the database is temporarily unreachable or unable to work. False for errors that an operator must correct, such as a wrong
 * password or a missing database.
 */
export const isAway = (error: SqlError.SqlError): boolean =>
  error.isRetryable || transient.has(classOf(error.reason))

/**
 * Whether the values of the statement are at fault, so that sending them again is pointless. All other errors concern the state of the
 * database (unreachable, full, shut down, read-only, not migrated), which may change.
 */
export const isRefused = ({ reason }: SqlError.SqlError): boolean => {
  switch (reason._tag) {
    case "UniqueViolation":
    case "ConstraintError":
      return true
    case "UnknownError":
      return reason.cause instanceof PgTypes.CodecError || ofValues.has(classOf(reason))
    default:
      return false
  }
}
