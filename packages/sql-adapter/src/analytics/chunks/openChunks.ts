import type { CountRequest } from "@clicks/core/analytics/ClickCounts"
import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import { unstorableReason } from "@clicks/core/values/Text"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { arrayOf } from "../../arrayOf.ts"
import { type Chunk, slicesOf } from "./Chunk.ts"
import type { ChunkCache } from "./ChunkCache.ts"
import type { ClickChunks } from "./ClickChunks.ts"
import { isStoredColumn, listChunks, scanChunks } from "./scanChunks.ts"
import { type Coverage, type Identities, toChunk, uncounted } from "./uncounted.ts"
import { addFirsts } from "./visitors/FirstClicks.ts"

type Sql = SqlClient.SqlClient

/** What all count requests of one API request share. */
export interface Subject extends Pick<CountRequest, "earlier" | "filter">, Identities {
  readonly fields: ReadonlyArray<string>
  /** Whether to include clicks that do not match the filter. */
  readonly isWhole?: boolean
}

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

/** Opens the clicks visible to the calling transaction: the chunks, and the rows that are not in chunks yet. */
export const openChunks = (sql: Sql, cache: ChunkCache, subject: Subject) =>
  Effect.gen(function* () {
    const { action: _, from: __, to: ___, ...equal } = subject.filter
    const fields = subject.fields.filter((field) => field !== "action")
    const areStored = [...fields, ...Object.keys(equal)].every(isStoredColumn)
    const coverage = areStored ? yield* readCoverage(sql) : undefined
    const filters = subject.isWhole ? [{}] : filtersOf(subject)
    const listed = coverage ? yield* listChunks(sql, filters) : []
    const rows = yield* uncounted(sql, coverage, filters, fields, subject)
    const tail = rows.flatMap(
      (row): ReadonlyArray<Chunk> =>
        row.middle === null ? [] : [{ ...toChunk(row, row.middle), isFiltered: !subject.isWhole }]
    )
    const news = rows.flatMap(({ ids, texts }) =>
      (texts ?? []).map((text, index) => [text, ids?.[index] ?? 0] as const)
    )
    const newIds = new Map(news)
    const newTexts = new Map(news.map(([text, id]) => [id, text]))

    const lastVisitor = rows.reduce((most, { last }) => Math.max(most, last), 0)

    const scan: ClickChunks["scan"] = Effect.fnUntraced(function* (columnsOf, visit) {
      for (const slice of slicesOf(tail)) visit(slice)
      yield* scanChunks(sql, cache, listed, columnsOf, visit)
    })

    const firstClicks = Effect.gen(function* () {
      const columns = () => ["at", "visitor"]
      const firsts = yield* cache.firsts.of(listed, lastVisitor, (chunks, visit) =>
        scanChunks(sql, cache, chunks, columns, visit)
      )
      for (const slice of slicesOf(tail)) addFirsts(slice, firsts)
      return firsts
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

    return { firstClicks, idsOf, lastVisitor, scan, textsOf } satisfies ClickChunks
  })
