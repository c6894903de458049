import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { PgClient } from "@effect/sql-pg"
import { Duration, Effect, Redacted, Schema, type Scope } from "effect"
import type { Pool, PoolClient } from "pg"

/** Rows were not copied, or it is unknown whether they were committed. `code` is the SQLSTATE of an error from the server. */
export class CopyFailed extends Schema.TaggedError<CopyFailed>()("CopyFailed", { cause: Schema.Defect() }) {
  get code(): string | undefined {
    const { cause } = this
    return cause instanceof Error && "code" in cause && typeof cause.code === "string"
      ? cause.code
      : undefined
  }
}

/** Sends rows to `copy … from stdin`, all or none. Returns when they are committed. */
export type CopyRows = (statement: string, rows: Buffer) => Effect.Effect<void, CopyFailed>

type Config = PgClient.PgClient["config"]

// Three batches in flight keep the server busy while a fourth is prepared. More would take connections away from recording.
const maxConnections = 3

const openPool = async (config: Config, url: Redacted.Redacted): Promise<Pool> => {
  const { default: pg } = await import("pg")
  const settings = { ...config.startupParameters, application_name: config.applicationName ?? "clicks" }
  const pool = new pg.Pool({
    connectionString: Redacted.value(url),
    connectionTimeoutMillis: Duration.toMillis(
      Duration.fromInputUnsafe(config.connectTimeout ?? "3 seconds")
    ),
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    max: maxConnections,
    onConnect: async (client) => {
      // A query in progress fails anyway; without a listener the event would end the process.
      client.on("error", () => {})
      const values = Object.entries(settings).map(
        ([name, value]) => `set_config(${client.escapeLiteral(name)}, ${client.escapeLiteral(value)}, false)`
      )
      await client.query(`select ${values.join(", ")}`)
    }
  })
  return pool.on("error", () => {})
}

const send = async (client: PoolClient, statement: string, rows: Buffer, signal: AbortSignal) => {
  const { from } = await import("pg-copy-streams")
  let isReleased = false
  const release = (failure?: Error) => {
    if (!isReleased) client.release(failure)
    isReleased = true
  }
  // Closing the connection is the only way to cancel rows in flight.
  const cut = () => release(new Error("interrupted"))
  signal.addEventListener("abort", cut)
  try {
    signal.throwIfAborted()
    await pipeline(Readable.from([rows]), client.query(from(statement)))
    release()
  } catch (error) {
    release(error instanceof Error ? error : new Error(String(error)))
    throw error
  } finally {
    signal.removeEventListener("abort", cut)
  }
}

/**
 * Connections for `COPY`, which `@effect/sql-pg` does not support, with the settings of its client. They are opened when rows
 * are copied and closed after a minute without use. Undefined if the client was configured without a URL.
 */
export const make: Effect.Effect<CopyRows | undefined, never, PgClient.PgClient | Scope.Scope> = Effect.gen(
  function* () {
    const { config } = yield* PgClient.PgClient
    const { url } = config
    if (url === undefined) return undefined
    let opening: Promise<Pool> | undefined
    // Not awaited: the connections are idle.
    yield* Effect.addFinalizer(() => Effect.sync(() => void opening?.then((pool) => pool.end())))
    return (statement, rows) =>
      Effect.tryPromise({
        try: async (signal) => {
          opening ??= openPool(config, url)
          const pool = await opening
          return send(await pool.connect(), statement, rows, signal)
        },
        catch: (cause) => new CopyFailed({ cause })
      })
  }
)
