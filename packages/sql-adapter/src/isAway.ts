import type { SqlError } from "effect/sql"
import { sqlState } from "./isRefused.ts"

// Connection lost, no connections or space left, shut down or still starting.
const classesOfPassing = new Set(["08", "53", "57"])

/**
 * Whether the database cannot be reached or cannot work for now, so that waiting may help. A wrong password, a database that
 * does not exist and everything else that a person has to put right is not that.
 */
export const isAway = (error: SqlError.SqlError): boolean =>
  error.isRetryable || classesOfPassing.has(sqlState(error.reason.cause).slice(0, 2))
