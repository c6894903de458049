import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { arrayOf } from "../../arrayOf.ts"
import { instant } from "../../clicks/clickConditions.ts"
import { chunkColumns, middleOf, millisOf, readColumn } from "../../clicks/counting/chunkColumns.ts"
import { type Chunk, type Columns, type Slice, slicesOf } from "./Chunk.ts"
import type { ChunkCache } from "./ChunkCache.ts"
import { encodeColumn, sourcesOf } from "./encodeColumn.ts"
import { visitorOrder } from "./visitorOrder.ts"

type Sql = SqlClient.SqlClient

// 4 columns of 65,536 clicks take 1 MB.
const chunksPerRead = 8

// The more chunks are scanned together, the more clicks of a visitor are consecutive. They take up to 30 MB.
const chunksTogether = 32

// Takes a few milliseconds.
export const clicksPerTurn = 65_536

/** A chunk whose columns are read on demand. */
export interface Listed {
  readonly id: number
  readonly n: number
  readonly middle: number
  readonly low: number
  readonly high: number
}

/** The chunks with clicks in the range of one of the filters. */
export const listChunks = (sql: Sql, filters: ReadonlyArray<ClickFilter>) => {
  const overlaps = ({ from, to }: ClickFilter): Statement.Fragment =>
    sql.and([
      ...(from ? [sql`high >= ${instant(sql, from)}`] : [sql`true`]),
      ...(to ? [sql`low <= ${instant(sql, to)}`] : [])
    ])
  return sql<Listed>`
    select id::float8 as id, n, ${sql.literal(middleOf("bin"))}::float8 as middle,
      ${sql.literal(millisOf("low"))}::float8 as low, ${sql.literal(millisOf("high"))}::float8 as high
    from click_chunks where ${sql.or(filters.map(overlaps))} order by low, id`
}

const stored: ReadonlySet<string> = new Set(chunkColumns)

export const isStoredColumn = (name: string): boolean => stored.has(name)

type ColumnsOf = (chunk: Listed) => ReadonlyArray<string>

/** Returns the columns of each chunk, from the cache if possible. */
const columnsOfChunks = (
  sql: Sql,
  cache: ChunkCache,
  listed: ReadonlyArray<Listed>,
  columnsOf: ColumnsOf
): Effect.Effect<ReadonlyArray<Columns>, SqlError.SqlError> =>
  Effect.gen(function* () {
    const found = listed.map((chunk) => {
      const names = Array.from(new Set(columnsOf(chunk)))
      const known = names.map((name) => [name, cache.get(chunk.id, name)] as const)
      const missing = known.flatMap(([name, column]) => (column === undefined ? [name] : []))
      return { ...chunk, columns: Object.fromEntries(known), missing, order: cache.orderOf(chunk.id) }
    })
    const incomplete = found.filter(({ missing }) => missing.length > 0)
    if (incomplete.length === 0) return found.map(({ columns }) => columns)
    const isOrdered = incomplete.every(({ order }) => order !== undefined)
    const sources = new Set(incomplete.flatMap(({ missing }) => missing.flatMap(sourcesOf)))
    if (!isOrdered) sources.add("visitor")
    const ids = incomplete.map(({ id }) => id)
    const rows = yield* sql<{ readonly id: number } & Record<string, Uint8Array>>`
      select id::float8 as id, ${sql.csv(Array.from(sources, (name) => sql`${sql(name)}`))} from click_chunks
      where id = any (${arrayOf("float8", ids)}::bigint[])`
    const byId = new Map(rows.map((row) => [row.id, row]))
    return found.map(({ columns, id, missing, order }) => {
      const row = byId.get(id)
      if (row === undefined) return columns
      const read = new Map<string, Int32Array | Uint8Array>()
      for (const name of sources) read.set(name, readColumn(name, row[name] ?? new Uint8Array()))
      const sorted = order ?? visitorOrder(read.get("visitor") as Int32Array)
      if (order === undefined) cache.add(id, "order", sorted)
      const added = missing.map((name) => [name, encodeColumn(name, read, sorted)] as const)
      for (const [name, column] of added) cache.add(id, name, column)
      return { ...columns, ...Object.fromEntries(added) }
    })
  })

/** Lets the process do other work. */
export const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

/** Reads the columns that a scan needs. */
const readChunks = Effect.fnUntraced(function* (
  sql: Sql,
  cache: ChunkCache,
  listed: ReadonlyArray<Listed>,
  columnsOf: ColumnsOf
) {
  const chunks: Array<Chunk> = []
  for (let first = 0; first < listed.length; first += chunksPerRead) {
    const part = listed.slice(first, first + chunksPerRead)
    const columns = yield* cache.oneAtATime(columnsOfChunks(sql, cache, part, columnsOf))
    for (const [index, chunk] of part.entries())
      chunks.push({ ...chunk, isFiltered: false, columns: columns[index] ?? {} })
  }
  return chunks
})

/** Calls `visit` with all clicks of the chunks, in slices that have the columns from `columnsOf`. */
export const scanChunks = Effect.fnUntraced(function* (
  sql: Sql,
  cache: ChunkCache,
  listed: ReadonlyArray<Listed>,
  columnsOf: ColumnsOf,
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
