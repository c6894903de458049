import { Effect, Redacted } from "effect"
import * as ClickRollup from "../../packages/sql-adapter/src/clicks/ClickRollup.ts"
import * as Database from "../../packages/sql-adapter/src/Database.ts"
import { migrate } from "../../packages/sql-adapter/src/migrations/migrate.ts"
import { type PostgresServer, query } from "../processes/PostgresServer.ts"
import { fillClicks } from "./fillClicks.ts"
import { copyToPlainTable } from "./plainTable.ts"

/** Counts all clicks that have not been counted. */
export const countAll = (url: string): Promise<void> =>
  ClickRollup.rollUp().pipe(
    Effect.repeat({ until: (rows) => rows === 0 }),
    Effect.asVoid,
    Effect.provide(Database.layer({ url: Redacted.make(url), statementTimeout: "1 hour" })),
    Effect.runPromise
  )

const log = (text: string): void => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`)

// A table in the database marks complete filling, so that an interrupted one is not taken for complete.
const hasMark = async (url: string, mark: string): Promise<boolean> => {
  const [row] = await query<{ readonly found: boolean }>(
    url,
    `select to_regclass('${mark}') is not null as found`
  )
  return row?.found ?? false
}

const fill = async (postgres: PostgresServer, name: string, rows: number): Promise<void> => {
  log(`Filling a table with ${rows.toLocaleString("en-US")} rows`)
  const url = await postgres.createMigrated(name, { keep: postgres.isKept })
  await fillClicks(url, rows)
  log("Counting them")
  await countAll(url)
  await query(url, "vacuum analyze clicks")
  await query(url, "create table bench_whole ()")
}

export const databaseName = (rows: number): string => `bench_filled_${rows}`

/** A database with this many clicks, all counted. Reuses a kept one. */
export const filledDatabase = async (postgres: PostgresServer, rows: number): Promise<string> => {
  const name = databaseName(rows)
  const url = postgres.urlOf(name)
  if (!(await postgres.has(name)) || !(await hasMark(url, "bench_whole"))) await fill(postgres, name, rows)
  // A kept database may lack newer migrations.
  await Effect.runPromise(Effect.provide(migrate, Database.layer({ url: Redacted.make(url) })))
  await countAll(url)
  return url
}

/** The same database with a plain table of the same rows. */
export const filledDatabaseWithPlainTable = async (
  postgres: PostgresServer,
  rows: number
): Promise<string> => {
  const url = await filledDatabase(postgres, rows)
  if (await hasMark(url, "bench_plain_whole")) return url
  log("Filling the plain table with the same rows")
  await query(url, "drop table if exists plain_clicks")
  await copyToPlainTable(url)
  await query(url, "create table bench_plain_whole ()")
  return url
}
