import { PgTypes } from "@effect/sql-pg"
import type { SqlError } from "effect/sql"

/** The class of PostgreSQL's error code: its first two characters; empty when the error is not PostgreSQL's. */
const classOf = ({ cause }: SqlError.SqlError["reason"]): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code.slice(0, 2) : ""

// Connection lost, no connections or space left, shut down or still starting.
const transient = new Set(["08", "53", "57"])

// Data exceptions, violated constraints, and values beyond the server's limits (an index entry that is too long).
const ofValues = new Set(["22", "23", "54"])

/**
 * Whether the database is unreachable or cannot work for now, so that waiting may help. False for everything that an operator
 * has to correct, such as a wrong password or a database that does not exist.
 */
export const isAway = (error: SqlError.SqlError): boolean =>
  error.isRetryable || transient.has(classOf(error.reason))

/**
 * Whether the values of the statement are at fault, so that sending them again is futile. All other errors are about the
 * database's state (away, full, shut down, read-only, not migrated), which may change.
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
