import type { CountedRows, CountRequest, CountRow } from "@clicks/core/analytics/ClickCounts"
import { compareRows } from "@clicks/core/analytics/rankRows"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { Cells } from "./Cells.ts"
import type { ClickChunks } from "./ClickChunks.ts"

const isRanked = (cells: Cells, { axis, fields, ranking }: CountRequest, cell: number): boolean => {
  const clicks = cells.clicks(cell, "current")
  if (fields.length === 0 && axis === undefined) return true
  if (clicks === 0 && cells.clicks(cell, "previous") === 0) return false
  if (ranking === undefined || ranking.without.length === 0) return true
  return clicks > 0 && ranking.without.every((action) => cells.clicks(cell, "current", action) === 0)
}

/** The measure by which cells are ordered, larger first; ties are ordered by their texts. */
const measureOf = (cells: Cells, { ranking }: CountRequest, cell: number): number => {
  if (ranking === undefined || ranking.sort === "key") return 0
  const { descending, sort } = ranking
  const action = sort === "total" || sort === "change" ? undefined : sort
  const clicks = cells.clicks(cell, "current", action)
  const measure = sort === "change" ? clicks - cells.clicks(cell, "previous") : clicks
  return descending ? measure : -measure
}

/** The cells that can be among the first `limit`, including all that tie with the last of them. Only their texts are read. */
const candidatesOf = (
  cells: Cells,
  request: CountRequest,
  ranked: ReadonlyArray<number>
): ReadonlyArray<number> => {
  if (request.ranking === undefined || ranked.length <= request.limit) return ranked
  const measures = Float64Array.from(ranked, (cell) => measureOf(cells, request, cell))
  const least = measures.toSorted().at(-request.limit) ?? 0
  return ranked.filter((_, index) => (measures[index] ?? 0) >= least)
}

/**
 * Counts the rows of a request. For a ranking of many groups, it first counts clicks, and then the visitors of the first rows only, because
 * sets of visitors take most of the time and the memory.
 */
export const countChunks =
  (chunks: ClickChunks) =>
  (request: CountRequest): Effect.Effect<CountedRows, SqlError.SqlError> =>
    Effect.gen(function* () {
      const { fields, filter, limit, only, overall, ranking } = request
      const { action: _, from: __, to: ___, ...equal } = filter
      const hasTexts = fields.some((field) => field !== "action")
      const texts = [...Object.values(equal), ...(only ?? []).flat()].filter((text) => text !== null)
      const cells = new Cells(request, yield* chunks.idsOf(texts), chunks.lastVisitor)
      yield* chunks.scan(
        (chunk) => cells.columnsOf(chunk),
        (slice) => cells.addClicks(slice)
      )
      const ranked = Array.from({ length: cells.size }, (_, cell) => cell).filter((cell) =>
        isRanked(cells, request, cell)
      )
      const candidates = candidatesOf(cells, request, ranked)
      const textOf = yield* chunks.textsOf(hasTexts ? candidates.flatMap((cell) => cells.ids(cell)) : [])
      const rows = candidates.map((cell) => ({ cell, row: cells.toRow(cell, textOf) }))
      if (ranking !== undefined) {
        const compare = compareRows(ranking)
        rows.sort((a, b) => compare(a.row, b.row))
      }
      const first = rows.slice(0, limit)
      if (cells.isTwofold && first.length > 0) {
        const some = new Uint8Array(cells.size)
        for (const { cell } of first) some[cell] = 1
        yield* chunks.scan(
          (chunk) => [...cells.columnsOf(chunk), "visitor"],
          (slice) => cells.addVisitorsOf(slice, some)
        )
      }
      return {
        rows: first.map(({ cell, row }): CountRow => (cells.isTwofold ? cells.toRow(cell, textOf) : row)),
        total: ranked.length,
        overall: overall ? cells.overall() : undefined,
        unidentified: ranked.reduce((sum, cell) => sum + cells.unidentified(cell), 0)
      }
    })
