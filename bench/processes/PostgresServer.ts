import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Effect, Exit, Redacted, Scope } from "effect"
import { Client, type QueryResultRow } from "pg"
import * as Database from "../../packages/sql-adapter/src/Database.ts"
import * as EmbeddedPostgres from "../../packages/sql-adapter/src/embedded/EmbeddedPostgres.ts"
import { migrate } from "../../packages/sql-adapter/src/migrations/migrate.ts"
import { superuserUrl } from "../../packages/sql-adapter/test/embedded/superuserUrl.ts"
import { parentOf, processorMicros } from "./processorTime.ts"

/** Runs one or more statements on a new connection. Returns the rows of a single statement. */
export const query = async <Row extends QueryResultRow>(url: string, sql: string): Promise<Array<Row>> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

/** A PostgreSQL with durable settings: the server of `DATABASE_URL`, or else an embedded one. */
export class PostgresServer {
  readonly url: string
  /** Whether filled databases are kept for the next run. */
  readonly isKept: boolean
  readonly #stop: () => Promise<void>
  readonly #made = new Set<string>()

  private constructor(url: string, isKept: boolean, stop: () => Promise<void>) {
    this.url = url
    this.isKept = isKept
    this.#stop = stop
  }

  /** Keeps the embedded server and its filled databases in `folder`. Without it, uses a temporary folder. */
  static async start(folder: string | undefined): Promise<PostgresServer> {
    const given = process.env["DATABASE_URL"]
    if (given !== undefined) return new PostgresServer(given, folder !== undefined, async () => {})
    const dataDir = folder ?? mkdtempSync(join(tmpdir(), "clicks-bench-"))
    const scope = Scope.makeUnsafe()
    const acquired = EmbeddedPostgres.acquire({ dataDir }).pipe(
      Effect.flatMap(({ url }) => superuserUrl(dataDir, url)),
      Scope.provide(scope)
    )
    const url = await Effect.runPromise(acquired)
    return new PostgresServer(Redacted.value(url), folder !== undefined, async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      if (folder === undefined) rmSync(dataDir, { recursive: true, force: true })
    })
  }

  /** The URL of a database of this server. The database need not exist. */
  urlOf(database: string): string {
    const url = new URL(this.url)
    url.pathname = `/${database}`
    return url.href
  }

  async has(database: string): Promise<boolean> {
    const found = await query(this.url, `select from pg_database where datname = '${database}'`)
    return found.length > 0
  }

  /** Creates an empty database or a copy of another. Dropped at the end unless `keep`. */
  async create(database: string, { from = "template1", keep = false } = {}): Promise<string> {
    await this.drop(database)
    await query(this.url, `create database ${database} template ${from} strategy file_copy`)
    if (!keep) this.#made.add(database)
    return this.urlOf(database)
  }

  /** An empty database with the tables of this service. */
  async createMigrated(database: string, options: { readonly keep?: boolean } = {}): Promise<string> {
    const url = await this.create(database, options)
    await Effect.runPromise(Effect.provide(migrate, Database.layer({ url: Redacted.make(url) })))
    return url
  }

  async drop(database: string): Promise<void> {
    await query(this.url, `drop database if exists ${database} with (force)`)
    this.#made.delete(database)
  }

  /**
   * Waits for running statements and vacuums, at most half a minute, and runs a checkpoint, so that the last turn does not slow
   * down the next.
   */
  async settle(): Promise<void> {
    const busy = `select from pg_stat_activity where state = 'active' and pid <> pg_backend_pid()
      and backend_type in ('client backend', 'autovacuum worker')`
    for (let looks = 0; looks < 300; looks++) {
      if ((await query(this.url, busy)).length === 0) break
      await sleep(100)
    }
    await query(this.url, "checkpoint")
  }

  /** Processor time of the server and its backends so far, in microseconds; NaN if the server runs elsewhere. */
  async processorMicros(): Promise<number> {
    const found = `select pid from pg_stat_activity where backend_type = 'checkpointer'`
    const [checkpointer] = await query<{ readonly pid: number }>(this.url, found)
    const isHere = process.env["DATABASE_URL"] === undefined && checkpointer !== undefined
    return isHere ? processorMicros(parentOf(checkpointer.pid)) : Number.NaN
  }

  async version(): Promise<string> {
    const [row] = await query<{ readonly server_version: string }>(this.url, "show server_version")
    return row?.server_version ?? "unknown"
  }

  async stop(): Promise<void> {
    for (const database of this.#made) await this.drop(database)
    await this.#stop()
  }
}
