import { PgTypes } from "@effect/sql-pg"
import type { SqlError } from "effect/sql"

// Data exceptions, broken constraints, and values beyond what the server can hold (an index entry that is too long).
const classesOfValues = new Set(["22", "23", "54"])

/** The five characters with which PostgreSQL classifies an error; empty where it did not come from there. */
export const sqlState = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : ""

/**
 * Whether the values of the statement are at fault, so that sending them again is futile. Everything else is the
 * database's own state (away, full, shut down, read-only, not migrated) and may pass.
 */
export const isRefused = ({ reason }: SqlError.SqlError): boolean => {
  switch (reason._tag) {
    case "UniqueViolation":
    case "ConstraintError":
      return true
    case "UnknownError":
      return (
        reason.cause instanceof PgTypes.CodecError || classesOfValues.has(sqlState(reason.cause).slice(0, 2))
      )
    default:
      return false
  }
}
