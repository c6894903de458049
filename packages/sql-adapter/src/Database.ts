import { PgClient } from "@effect/sql-pg"
import { Duration, type Layer, type Redacted } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database`, with the parameters of libpq such as `sslmode`. */
  readonly url: Redacted.Redacted
  /** Connections held at most; they are opened when needed and closed after a minute without use. */
  readonly maxConnections?: number
  /** How the connections are named in `pg_stat_activity`. */
  readonly applicationName?: string
  /** After how long a database that does not answer counts as away. */
  readonly connectTimeout?: Duration.Input
  /** After how long the server gives a statement up. Streams and migrations are exempt. */
  readonly statementTimeout?: Duration.Input
}

export const defaultOptions = {
  maxConnections: 10,
  applicationName: "clicks",
  connectTimeout: "3 seconds",
  statementTimeout: "30 seconds"
} as const satisfies Omit<DatabaseOptions, "url">

const sessionSettings = (statementTimeout: Duration.Input) => ({
  timezone: "UTC",
  // A receipt `stored` promises that the row outlives a crash of the server, whatever the role's own default is.
  synchronous_commit: "on",
  statement_timeout: String(Math.ceil(Duration.toMillis(Duration.fromInputUnsafe(statementTimeout)))),
  // A plan made once for all values reads the whole table for a rare product because it suits a frequent one.
  plan_cache_mode: "force_custom_plan",
  // Compiling costs more than the longest statement here (a count) saves.
  jit: "off"
})

/**
 * Connections to PostgreSQL. Builds at once, whether the database can be reached or not: connections are opened when a
 * statement needs one, and those that a restart of the database has cut are replaced by the next statement.
 */
export const layer = (
  options: DatabaseOptions
): Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, SqlError.SqlError> => {
  const { statementTimeout, ...client } = { ...defaultOptions, ...options }
  return PgClient.layer({
    ...client,
    // Finds a peer that vanished without a word while no statement is under way.
    keepAlive: "30 seconds",
    startupParameters: sessionSettings(statementTimeout)
  })
}
