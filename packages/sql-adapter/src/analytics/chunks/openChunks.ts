import type { CountRequest } from "@clicks/core/analytics/ClickCounts"
import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import { unstorableReason } from "@clicks/core/values/Text"
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { arrayOf } from "../../arrayOf.ts"
import { instant } from "../../clicks/clickConditions.ts"
import { chunkColumns, middleOf, readColumn } from "../../clicks/counting/chunkColumns.ts"
import type { Chunk, Columns } from "./Chunk.ts"
import type { ChunkCache } from "./ChunkCache.ts"
import type { ClickChunks } from "./ClickChunks.ts"
import { type Coverage, toChunk, uncounted } from "./uncounted.ts"
import { visitorOrder } from "./visitorOrder.ts"

type Sql = SqlClient.SqlClient

/** What all count requests of an answer share. */
export interface Subject extends Pick<CountRequest, "earlier" | "filter" | "visitors"> {
  readonly fields: ReadonlyArray<string>
  /** Whether chunks also hold the clicks that do not match the filter. */
  readonly isWhole?: boolean
}

// 4 columns of 65,536 clicks take 1 MB.
const chunksPerRead = 8

const filtersOf = ({ earlier, filter }: Pick<Subject, "earlier" | "filter">): ReadonlyArray<ClickFilter> => [
  filter,
  ...(earlier ? [{ ...filter, from: earlier.from, to: earlier.to }] : [])
]

const readCoverage = (sql: Sql) =>
  Effect.map(
    sql<Coverage & { readonly is_current: boolean }>`
      select arrival::text, beyond::text, since::text, system = (select system_identifier::text from pg_control_system()) as is_current
      from click_rollup`,
    ([state]) => (state?.is_current ? state : undefined)
  )

interface Listed {
  readonly id: number
  readonly n: number
  readonly middle: number
  readonly low: number
  readonly high: number
}

const listChunks = (sql: Sql, filters: ReadonlyArray<ClickFilter>) => {
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

const isIn = (names: ReadonlyArray<string>, name: string): boolean => names.includes(name)

/** Returns columns of chunks, from the cache where it has them. */
const columnsOfChunks = (
  sql: Sql,
  cache: ChunkCache,
  listed: ReadonlyArray<Listed>,
  names: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<Columns>, SqlError.SqlError> =>
  Effect.gen(function* () {
    const known = listed.map(({ id }) => cache.get(id))
    const missing = names.filter((name) => known.some((columns) => columns[name] === undefined))
    if (missing.length === 0) return known
    const ids = listed.flatMap(({ id }, index) =>
      missing.some((name) => known[index]?.[name] === undefined) ? [id] : []
    )
    const rows = yield* sql<{ readonly id: number } & Record<string, Uint8Array>>`
      select id::float8 as id, ${sql.csv(missing.map((name) => sql`${sql(name)}`))} from click_chunks
      where id = any (${arrayOf("float8", ids)}::bigint[])`
    const byId = new Map(rows.map((row) => [row.id, row]))
    return listed.map(({ id, n }, index): Columns => {
      const row = byId.get(id)
      if (row === undefined) return known[index] ?? {}
      const read = missing.map((name) => [name, readColumn(row[name] ?? new Uint8Array(), n)] as const)
      const columns: Columns = { ...known[index], ...Object.fromEntries(read) }
      const { order, visitor } = columns
      const ordered = visitor && !order ? { ...columns, order: visitorOrder(visitor) } : columns
      cache.set(id, ordered)
      return ordered
    })
  })

const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

/** Opens the clicks that the calling transaction sees: the chunks, and the rows that are in none yet. */
export const openChunks = (sql: Sql, cache: ChunkCache, subject: Subject) =>
  Effect.gen(function* () {
    const { action: _, from: __, to: ___, ...equal } = subject.filter
    const fields = subject.fields.filter((field) => field !== "action")
    const isStored = [...fields, ...Object.keys(equal)].every((field) => isIn(chunkColumns, field))
    const coverage = isStored ? yield* readCoverage(sql) : undefined
    const filters = subject.isWhole ? [{}] : filtersOf(subject)
    const listed = coverage ? yield* listChunks(sql, filters) : []
    const rows = yield* uncounted(sql, coverage, filters, fields, subject.visitors)
    const tail = rows.flatMap(
      (row): ReadonlyArray<Chunk> =>
        row.middle === null
          ? []
          : [{ ...toChunk(row, row.middle), isFiltered: !subject.isWhole, order: undefined }]
    )
    const news = rows.flatMap(({ ids, texts }) =>
      (texts ?? []).map((text, index) => [text, ids?.[index] ?? 0] as const)
    )
    const newIds = new Map(news)
    const newTexts = new Map(news.map(([text, id]) => [id, text]))

    const scan: ClickChunks["scan"] = Effect.fnUntraced(function* (columnsOf, visit) {
      for (const chunk of tail) visit(chunk)
      const inOrder = cache.knownFirst(listed)
      for (let first = 0; first < inOrder.length; first += chunksPerRead) {
        const part = inOrder.slice(first, first + chunksPerRead)
        const names = Array.from(new Set(part.flatMap(columnsOf))).filter((name) => isIn(chunkColumns, name))
        const read = yield* cache.oneAtATime(columnsOfChunks(sql, cache, part, names))
        for (const [index, { high, low, middle, n }] of part.entries()) {
          const { order, ...columns } = read[index] ?? {}
          visit({
            n,
            middle,
            low,
            high,
            isFiltered: false,
            columns,
            order: names.includes("visitor") ? order : undefined
          })
          yield* turn
        }
      }
    })

    const idsOf: ClickChunks["idsOf"] = Effect.fnUntraced(function* (texts) {
      const sought = texts.filter((text) => unstorableReason(text) === undefined)
      const found =
        sought.length === 0
          ? []
          : yield* sql<{ readonly id: number; readonly value: string }>`
            select known.id, known.value from unnest(${arrayOf("text", sought)}) as sought (value) cross join lateral (
              select id, value from click_texts as k
              where hashtextextended(k.value, 0) = hashtextextended(sought.value, 0) and k.value = sought.value offset 0) as known`
      const ids = new Map(found.map(({ id, value }) => [value, id]))
      return (text) => (text === null ? 0 : (ids.get(text) ?? newIds.get(text)))
    })

    const textsOf: ClickChunks["textsOf"] = Effect.fnUntraced(function* (ids) {
      const sought = Array.from(new Set(ids)).filter((id) => !newTexts.has(id))
      const found =
        sought.length === 0
          ? []
          : yield* sql<{ readonly id: number; readonly value: string }>`
            select id, value from click_texts where id = any (${arrayOf("int4", sought)})`
      const texts = new Map(found.map(({ id, value }) => [id, value]))
      return (id) => texts.get(id) ?? newTexts.get(id) ?? null
    })

    const lastVisitor = rows.reduce((most, { last }) => Math.max(most, last), 0)
    return { idsOf, lastVisitor, scan, textsOf } satisfies ClickChunks
  })
