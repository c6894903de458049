import { PgClient } from "@effect/sql-pg"
import { Duration, type Layer, type Redacted } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database`, with the parameters of libpq such as `sslmode`. */
  readonly url: Redacted.Redacted
  /** The maximum number of connections. They are opened when needed and closed after a minute without use. */
  readonly maxConnections?: number
  /** The name of the connections in `pg_stat_activity`. */
  readonly applicationName?: string
  /** How long to wait for a connection. */
  readonly connectTimeout?: Duration.Input
  /** How long the server runs a statement. Streams and migrations are exempt. */
  readonly statementTimeout?: Duration.Input
}

export const defaultOptions = {
  maxConnections: 10,
  applicationName: "clicks",
  connectTimeout: "3 seconds",
  statementTimeout: "30 seconds"
} as const satisfies Omit<DatabaseOptions, "url">

// One product of a menu may have 32 MiB. With its own limit of 16 MiB, the client could not read it back.
const largestRow = 128 * 1024 * 1024

const sessionSettings = (statementTimeout: Duration.Input) => ({
  timezone: "UTC",
  // The receipt `stored` promises that the row survives a crash of the server, whatever the default of the role is.
  synchronous_commit: "on",
  statement_timeout: String(Math.ceil(Duration.toMillis(Duration.fromInputUnsafe(statementTimeout)))),
  // A generic plan is made for frequent values: for a rare product, it would read the whole table.
  plan_cache_mode: "force_custom_plan",
  // Compilation takes longer than it saves, even in the longest statement (a count).
  jit: "off"
})

/**
 * A pool of connections to PostgreSQL. The layer builds even if the database is unreachable: a statement opens a connection when it needs
 * one, and replaces one that a restart of the database has closed.
 */
export const layer = (
  options: DatabaseOptions
): Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, SqlError.SqlError> => {
  const { statementTimeout, ...client } = { ...defaultOptions, ...options }
  return PgClient.layer({
    ...client,
    // Detects a dead peer while no statement is in progress.
    keepAlive: "30 seconds",
    maxMessageSize: largestRow,
    startupParameters: sessionSettings(statementTimeout)
  })
}
