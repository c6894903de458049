import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import type { SqlClient, Statement } from "effect/sql"
import { matches } from "../../clicks/clickConditions.ts"
import {
  type ChunkColumn,
  marks,
  middleOf,
  millisOf,
  mostClicks,
  packed,
  readColumn,
  sessionNumber,
  visitorNumber
} from "../../clicks/counting/chunkColumns.ts"
import { actionNumber } from "../../clicks/counting/countColumns.ts"
import type { Chunk } from "./Chunk.ts"
import { encodeColumn } from "./encodeColumn.ts"
import { visitorOrder } from "./visitorOrder.ts"

type Sql = SqlClient.SqlClient
type Fragment = Statement.Fragment

/** The clicks that are in chunks (from `click_rollup`). */
export interface Coverage {
  readonly arrival: string
  readonly beyond: string
  readonly since: string
}

/** Conditions such that a click outside of chunks meets exactly one of them. */
const conditionsOf = (sql: Sql, coverage: Coverage | undefined): ReadonlyArray<Fragment> => {
  if (coverage === undefined) return [sql`true`]
  const number = (name: "arrival" | "beyond") => sql.literal(`'${coverage[name]}'::xid8`)
  if (coverage.since === "infinity") return [sql`arrival >= ${number("arrival")}`]
  const rest = [
    sql`arrival >= ${number("arrival")} and arrival < ${number("beyond")}`,
    sql`occurred_at < ${coverage.since}::timestamptz`
  ]
  return [sql`arrival >= ${number("beyond")}`, sql.and(rest)]
}

export interface PackedRow {
  readonly n: number
  readonly middle: number | null
  readonly low: number
  readonly high: number
  readonly ids: ReadonlyArray<number> | null
  readonly texts: ReadonlyArray<string> | null
  readonly last: number
  readonly [column: string]: unknown
}

// The client rejects rows of more than 16 MiB. After an import, millions of clicks may be uncounted, and a text can have 64 KiB, each byte
// of which may be sent as two.
const mostBytes = 4 * 1024 * 1024
const idBytes = 20

/** Optional columns, which take time to compute. */
export interface Identities {
  readonly visitors: boolean
  readonly sessions?: boolean
}

/**
 * The clicks that are in no chunk and match one of the filters, packed like chunks, with one bin per row. Texts and visitors without an id
 * get one beyond the known ids, valid only for this request. Further rows contain these texts and the highest visitor id.
 */
export const uncounted = (
  sql: Sql,
  coverage: Coverage | undefined,
  filters: ReadonlyArray<ClickFilter>,
  fields: ReadonlyArray<string>,
  { sessions, visitors }: Identities
): Statement.Statement<PackedRow> => {
  const names = fields.map((field) => sql`${sql(field)}`)
  const columns = [
    sql`occurred_at as moment`,
    sql`${sql.literal(`${actionNumber} + ${marks(`(${visitorNumber})`, "session_id")}`)} as action`,
    sql`${visitors ? sql.literal(`(${visitorNumber})`) : sql`null::bigint`} as number`,
    sql`${sessions ? sql.literal(sessionNumber) : sql`null::bigint`} as session`,
    ...names
  ]
  const clicks = conditionsOf(sql, coverage).map(
    (condition) => sql`select ${sql.csv(columns)} from clicks
      where ${condition} and ${sql.or(filters.map((filter) => matches(sql, filter)))}`
  )
  const values = sql.join(
    " union ",
    false
  )([sql`select null as value`, ...names.map((name) => sql`select ${name} from tail`)])
  const pack = (column: string, value: string) =>
    sql`${sql.literal(packed(column as ChunkColumn, value))} as ${sql(column)}`
  const packedColumns = [
    pack("at", `(${millisOf("moment")} - ${middleOf("click_bin(1, moment)")})::integer`),
    pack("action", "action"),
    pack("visitor", "coalesce(v.id, 0)"),
    pack("session", "session"),
    ...fields.map((field) => pack(field, `coalesce(of_${field}.id, 0)`))
  ]
  const joins = fields.map(
    (field) =>
      sql`left join texts as ${sql(`of_${field}`)} on ${sql(`of_${field}`)}.value = tail.${sql(field)}`
  )
  const nothing = sql.csv(packedColumns.map(() => sql`null::bytea`))
  return sql<PackedRow>`
    with tail as materialized (
      select *, row_number() over () / ${sql.literal(String(mostClicks))} as part from (${sql.join(" union all ", false)(clicks)}) as clicks),
    texts as materialized (
      select step.value, (coalesce(known.id, (select coalesce(max(id), 0) from click_texts) + row_number() over ()))::integer as id,
        known.id is null as is_new
      from (${values}) as step left join lateral (
        select id from click_texts as k
        where hashtextextended(k.value, 0) = hashtextextended(step.value, 0) and k.value = step.value offset 0) as known on true
      where step.value is not null),
    visitors as materialized (
      select step.number, (coalesce(known.id, (select last_value from click_visitors_id_seq) + row_number() over ()))::integer as id
      from (select distinct number from tail where number is not null) as step
      left join lateral (select id from click_visitors as k where k.number = step.number offset 0) as known on true)
    select count(*)::integer as n, ${sql.literal(middleOf("click_bin(1, moment)"))}::float8 as middle,
      ${sql.literal(millisOf("min(moment)"))}::float8 as low, ${sql.literal(millisOf("max(moment)"))}::float8 as high,
      null::integer[] as ids, null::text[] as texts, 0 as last, ${sql.csv(packedColumns)}
    from tail left join visitors as v on v.number = tail.number ${sql.join(" ", false)(joins)}
    group by click_bin(1, moment), part
    union all
    select 0, null, 0, 0, null, null,
      greatest((select max(id) from visitors), (select last_value from click_visitors_id_seq))::integer, ${nothing}
    union all
    select 0, null, 0, 0, array_agg(id), array_agg(value), 0, ${nothing} from (
      select id, value, sum(octet_length(value) + ${sql.literal(String(idBytes))}) over (rows unbounded preceding) / ${sql.literal(String(mostBytes))} as part
      from texts where is_new) as news
    group by part`
}

/** Converts a row to a chunk. */
export const toChunk = (row: PackedRow, middle: number): Omit<Chunk, "isFiltered"> => {
  const { high, ids: _, low, middle: __, n, last: ___, texts: ____, ...packedColumns } = row
  const names = Object.keys(packedColumns)
  const read = new Map(names.map((name) => [name, readColumn(name, row[name] as Uint8Array)]))
  const order = visitorOrder(read.get("visitor") as Int32Array)
  const columns = names.map((name) => [name, encodeColumn(name, read, order)] as const)
  return { n, middle, low, high, columns: Object.fromEntries(columns) }
}
