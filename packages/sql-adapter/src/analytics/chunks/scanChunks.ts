import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { arrayOf } from "../../arrayOf.ts"
import { instant } from "../../clicks/clickConditions.ts"
import { chunkColumns, middleOf, readColumn } from "../../clicks/counting/chunkColumns.ts"
import { type Chunk, type Columns, type Slice, slicesOf } from "./Chunk.ts"
import type { ChunkCache } from "./ChunkCache.ts"
import { encodeColumn, sourceOf } from "./encodeColumn.ts"
import { visitorOrder } from "./visitorOrder.ts"

type Sql = SqlClient.SqlClient

// 4 columns of 65,536 clicks take 1 MB.
const chunksPerRead = 8

// The more, the more clicks of a visitor come one after another. They take up to 30 MB.
const chunksTogether = 32

// A few milliseconds.
const clicksPerTurn = 65_536

/** A chunk, whose columns are read when they are needed. */
export interface Listed {
  readonly id: number
  readonly n: number
  readonly middle: number
  readonly low: number
  readonly high: number
}

/** The chunks that have clicks in the times of one of the filters. */
export const listChunks = (sql: Sql, filters: ReadonlyArray<ClickFilter>) => {
  const overlaps = ({ from, to }: ClickFilter): Statement.Fragment =>
    sql.and([
      ...(from ? [sql`high >= ${instant(sql, from)}`] : [sql`true`]),
      ...(to ? [sql`low <= ${instant(sql, to)}`] : [])
    ])
  return sql<Listed>`
    select id::float8 as id, n, ${sql.literal(middleOf("bin"))}::float8 as middle,
      (date_part('epoch', low) * 1000)::float8 as low, (date_part('epoch', high) * 1000)::float8 as high
    from click_chunks where ${sql.or(filters.map(overlaps))} order by low, id`
}

const stored: ReadonlySet<string> = new Set(chunkColumns)

export const isStoredColumn = (name: string): boolean => stored.has(name)

/** Returns columns of chunks, from the cache where it has them. */
const columnsOfChunks = (
  sql: Sql,
  cache: ChunkCache,
  listed: ReadonlyArray<Listed>,
  names: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<Columns>, SqlError.SqlError> =>
  Effect.gen(function* () {
    const known = listed.map(({ id }) =>
      Object.fromEntries(names.map((name) => [name, cache.get(id, name)] as const))
    )
    const missing = names.filter((name) => known.some((columns) => columns[name] === undefined))
    const incomplete = listed.filter((_, index) => missing.some((name) => known[index]?.[name] === undefined))
    if (incomplete.length === 0) return known
    const isOrdered = incomplete.every(({ id }) => cache.orderOf(id) !== undefined)
    const sources = new Set([...missing.map(sourceOf), ...(isOrdered ? [] : ["visitor"])])
    const rows = yield* sql<{ readonly id: number } & Record<string, Uint8Array>>`
      select id::float8 as id, ${sql.csv(Array.from(sources, (name) => sql`${sql(name)}`))} from click_chunks
      where id = any (${arrayOf(
        "float8",
        incomplete.map(({ id }) => id)
      )}::bigint[])`
    const byId = new Map(rows.map((row) => [row.id, row]))
    return known.map((columns, index) => {
      const { id, n } = listed[index] as Listed
      const row = byId.get(id)
      if (row === undefined) return columns
      const read = new Map(
        Array.from(sources, (name) => [name, readColumn(row[name] ?? new Uint8Array(), n)])
      )
      const order = cache.orderOf(id) ?? visitorOrder(read.get("visitor") as Int32Array)
      cache.add(id, "order", order)
      const added = missing
        .filter((name) => columns[name] === undefined)
        .map((name) => [name, encodeColumn(name, read.get(sourceOf(name)) as Int32Array, order)] as const)
      for (const [name, column] of added) cache.add(id, name, column)
      return { ...columns, ...Object.fromEntries(added) }
    })
  })

const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

/** Reads the columns that a scan needs. */
const readChunks = Effect.fnUntraced(function* (
  sql: Sql,
  cache: ChunkCache,
  listed: ReadonlyArray<Listed>,
  columnsOf: (chunk: Listed) => ReadonlyArray<string>
) {
  const chunks: Array<Chunk> = []
  for (let first = 0; first < listed.length; first += chunksPerRead) {
    const part = listed.slice(first, first + chunksPerRead)
    const names = Array.from(new Set(part.flatMap(columnsOf)))
    const columns = yield* cache.oneAtATime(columnsOfChunks(sql, cache, part, names))
    for (const [index, chunk] of part.entries())
      chunks.push({ ...chunk, isFiltered: false, columns: columns[index] ?? {} })
  }
  return chunks
})

/** Calls `visit` with all clicks of chunks, in slices, and with at least the columns that are asked for. */
export const scanChunks = Effect.fnUntraced(function* (
  sql: Sql,
  cache: ChunkCache,
  listed: ReadonlyArray<Listed>,
  columnsOf: (chunk: Listed) => ReadonlyArray<string>,
  visit: (slice: Slice) => void
): Effect.fn.Return<void, SqlError.SqlError> {
  const ordered = cache.knownFirst(listed, columnsOf)
  for (let first = 0; first < ordered.length; first += chunksTogether) {
    const together = ordered.slice(first, first + chunksTogether)
    let visited = 0
    for (const slice of slicesOf(yield* readChunks(sql, cache, together, columnsOf))) {
      visit(slice)
      visited += slice.end - slice.first
      if (visited < clicksPerTurn) continue
      visited = 0
      yield* turn
    }
  }
})
