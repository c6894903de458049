import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

// The schema needs xid8, which came with 13. The community no longer supports 13.
/** The oldest major version of PostgreSQL that Clicks works with. */
export const oldestSupported = 14

export interface ServerVersion {
  /** Such as 18.4. */
  readonly text: string
  readonly isSupported: boolean
}

/** The version that the server reports. */
export const serverVersion: Effect.Effect<ServerVersion, SqlError.SqlError, SqlClient.SqlClient> =
  SqlClient.SqlClient.use((sql) =>
    Effect.map(
      sql<{ readonly text: string; readonly number: string }>`
        select current_setting('server_version') as text, current_setting('server_version_num') as number`,
      ([server]) => ({
        text: server?.text ?? "unknown",
        isSupported: Number(server?.number ?? 0) >= oldestSupported * 10_000
      })
    )
  )

/** Says that the server is too old, and which version is needed. */
export const tooOld = ({ text }: ServerVersion): string =>
  `PostgreSQL ${text} is too old. Clicks requires PostgreSQL ${oldestSupported} or newer`
