import type { CountedRows, CountRequest, CountRow, Counts, Keys } from "@clicks/core/analytics/ClickCounts"
import type { ClickAction } from "@clicks/core/clicks/ClickEvent"
import { actions } from "@clicks/core/clicks/ClickFilter"
import { mostClicks } from "../../clicks/counting/chunkColumns.ts"
import { type Chunk, type Coded, codedOf, type Slice, visitorsOf } from "./Chunk.ts"
import { doubled, PairIndex } from "./PairIndex.ts"
import { addActions, counters, keepGiven, keepKnown, keepSome, readAll } from "./passes.ts"
import { Slots } from "./Slots.ts"
import type { Listed } from "./scanChunks.ts"
import { actionId, type IdOf, isCut, makeSelectRows, type Period, type SelectRows } from "./selectRows.ts"
import { VisitorSets } from "./visitors/VisitorSets.ts"

/** The text of an id. */
export type TextOf = (id: number) => string | null

// A ranking with more groups counts visitors in a second scan, for the first rows only: more groups would need more memory. With two
// million visitors, these take up to 32 MB.
const mostVisited = 64

/** The cells of a request, each with its counts: one per combination of values of the fields and slot of the axis. */
export class Cells {
  readonly #request: CountRequest
  readonly #selectRows: SelectRows
  /** The values of cells, one index per field: each pair consists of the number of the preceding values and the id of a value. */
  readonly #indexes: ReadonlyArray<PairIndex>
  readonly #cellsOfCodes = new WeakMap<Int32Array, Int32Array>()
  /** The number of fields for which the request gives the values. */
  readonly #given: number
  readonly #slots: Slots | undefined
  readonly #bySlot = new PairIndex()
  readonly #lastVisitor: number
  #visitors: VisitorSets
  /**
   * Visitors of all cells together: set 0 for the current period, set 1 for the previous one. Those in `#visitors` are added at the end.
   */
  readonly #overall: VisitorSets
  readonly #overallCells = new Int32Array(mostClicks)
  #isTwofold = false
  #counts = new Int32Array(16 * 2 * counters)
  #rows = new Int32Array(0)
  #cells = new Int32Array(0)
  #values = new Int32Array(0)

  /** Creates the cells for visitors with ids up to `lastVisitor`. */
  constructor(request: CountRequest, idOf: IdOf, lastVisitor: number) {
    const { axis, fields, only } = request
    this.#request = request
    this.#lastVisitor = lastVisitor
    this.#visitors = new VisitorSets(lastVisitor)
    this.#overall = new VisitorSets(lastVisitor)
    this.#selectRows = makeSelectRows(request, idOf)
    this.#indexes = fields.map((_, depth) => new PairIndex(depth === 0 ? 20 : 10))
    this.#given = only?.[0]?.length ?? 0
    this.#slots = axis && new Slots(axis, request)
    for (const keys of only ?? []) this.#give(keys, idOf)
  }

  /** The number of cells, including some without clicks. */
  get size(): number {
    return this.#slots ? this.#bySlot.size : (this.#indexes.at(-1)?.size ?? 1)
  }

  /**
   * Whether the ranking has too many cells to count the visitors of each. If so, `addClicks` counts none, and `addVisitorsOf` counts those
   * of the first rows.
   */
  get isTwofold(): boolean {
    return this.#isTwofold
  }

  #give(keys: Keys, idOf: IdOf): void {
    const ids = keys.map((key, depth) =>
      this.#request.fields[depth] === "action" ? actionId(key) : idOf(key)
    )
    if (ids.includes(undefined)) return
    ids.reduce<number>((cell, id, depth) => this.#indexes[depth]?.add(cell, id ?? 0) ?? 0, 0)
  }

  /** The columns of a chunk that the request needs. Times are not needed if the whole chunk lies in a period. */
  columnsOf(chunk: Listed): ReadonlyArray<string> {
    const { fields, filter, overall, visitors } = this.#request
    const { action: _, from: __, to: ___, ...equal } = filter
    return [
      "action",
      ...fields,
      ...Object.keys(equal),
      ...(visitors && (overall || !this.#isTwofold) ? ["visitor"] : []),
      ...(this.#slots ? [this.#slots.columnFor(chunk)] : []),
      ...(isCut(this.#request, chunk) ? ["at"] : [])
    ]
  }

  /** Counts the clicks of a slice, and their visitors if they are requested. */
  addClicks(slice: Slice): void {
    const { block, chunk } = slice
    const action = codedOf(chunk, "action")
    const { overall, ranking, visitors } = this.#request
    this.#eachPeriod(slice, (count, isPrevious) => {
      const places = this.size * 2 * counters
      if (places > this.#counts.length) this.#counts = doubled(this.#counts, places)
      const [rows, cells, counts] = [this.#rows, this.#cells, this.#counts]
      const period = isPrevious ? 1 : 0
      addActions(action, rows, cells, counts, period * counters, count)
      if (!visitors) return
      if (ranking !== undefined && !this.#isTwofold && this.size > mostVisited) this.#dropVisitors()
      if (!this.#isTwofold) this.#visitors.addAll(visitorsOf(chunk), block, rows, cells, period, count)
      else if (overall)
        this.#overall.addAll(visitorsOf(chunk), block, rows, this.#overallCells, period, count)
    })
  }

  /** Adds the visitors of the clicks of a slice to some of the cells. */
  addVisitorsOf(slice: Slice, some: Uint8Array): void {
    this.#eachPeriod(slice, (count, isPrevious) => {
      const [rows, cells] = [this.#rows, this.#cells]
      const kept = keepSome(rows, cells, some, count)
      this.#visitors.addAll(visitorsOf(slice.chunk), slice.block, rows, cells, isPrevious ? 1 : 0, kept)
    })
  }

  /** Drops the visitors added so far, but keeps them for all cells together. */
  #dropVisitors(): void {
    this.#isTwofold = true
    if (this.#request.overall) this.#overall.addUnions(this.#visitors)
    this.#visitors = new VisitorSets(this.#lastVisitor)
  }

  #eachPeriod(slice: Slice, count: (clicks: number, isPrevious: boolean) => void): void {
    const most = slice.end - slice.first
    if (this.#rows.length < most) {
      this.#rows = new Int32Array(most)
      this.#cells = new Int32Array(most)
      this.#values = new Int32Array(most)
    }
    for (const period of this.#request.only?.length === 0 ? [] : (["current", "previous"] as const)) {
      const selected = this.#selectRows(slice, period, this.#rows)
      if (selected > 0) count(this.#intoCells(slice.chunk, period, selected), period === "previous")
    }
  }

  /** Finds the cell of each selected click. Drops clicks whose values are not among the given ones; returns the number of the others. */
  #intoCells(chunk: Chunk, period: Period, selected: number): number {
    const [rows, cells, values] = [this.#rows, this.#cells, this.#values]
    const { fields } = this.#request
    if (fields.length === 0) cells.fill(0, 0, selected)
    let count = selected
    for (const [depth, field] of fields.entries()) {
      const column = codedOf(chunk, field)
      const index = this.#indexes[depth] as PairIndex
      if (depth === 0) {
        readAll(column, this.#cellsOf(column), rows, cells, count)
        if (this.#given > 0) count = keepKnown(rows, cells, count)
        continue
      }
      readAll(column, column.values, rows, values, count)
      if (depth < this.#given) count = keepGiven(index, rows, cells, values, count)
      else index.addAll(cells, values, count)
    }
    if (this.#slots) {
      this.#slots.write(chunk, period, rows, values, count)
      this.#bySlot.addAll(cells, values, count)
    }
    return count
  }

  /** The cell of each code of the first field; -1 if its value is not among the given ones. */
  #cellsOf({ values }: Coded): Int32Array {
    const known = this.#cellsOfCodes.get(values)
    if (known !== undefined) return known
    const index = this.#indexes[0] as PairIndex
    const cells = values.map((id) => (this.#given > 0 ? index.find(0, id) : index.add(0, id)))
    this.#cellsOfCodes.set(values, cells)
    return cells
  }

  /** The number of clicks of a cell: of one action, or of all. */
  clicks(cell: number, period: Period, action?: ClickAction): number {
    const first = cell * 2 * counters + (period === "previous" ? counters : 0)
    if (action !== undefined) return this.#counts[first + actionId(action) - 1] ?? 0
    let sum = 0
    for (let index = 0; index < actions.length; index++) sum += this.#counts[first + index] ?? 0
    return sum
  }

  /** The number of clicks of a cell in the current period that identify no visitor. */
  unidentified(cell: number): number {
    return this.#counts[cell * 2 * counters + counters - 1] ?? 0
  }

  /** The ids of the values of a cell. */
  ids(cell: number): ReadonlyArray<number> {
    const ids: Array<number> = []
    let at = this.#slots ? this.#bySlot.first(cell) : cell
    for (let depth = this.#indexes.length - 1; depth >= 0; depth--) {
      ids.unshift(this.#indexes[depth]?.second(at) ?? 0)
      at = this.#indexes[depth]?.first(at) ?? 0
    }
    return ids
  }

  /** A cell as a row. */
  toRow(cell: number, textOf: TextOf): CountRow {
    const { fields } = this.#request
    const countsIn = (period: Period): Counts =>
      this.#toCounts(
        (action) => this.clicks(cell, period, action),
        this.#visitors.size(cell * 2 + (period === "previous" ? 1 : 0))
      )
    return {
      keys: this.ids(cell).map((id, depth) =>
        fields[depth] === "action" ? (actions[id - 1] ?? null) : textOf(id)
      ),
      slot: this.#slots?.values[this.#bySlot.second(cell)],
      current: countsIn("current"),
      previous: countsIn("previous")
    }
  }

  /** All clicks together. */
  overall(): NonNullable<CountedRows["overall"]> {
    if (!this.#isTwofold) this.#overall.addUnions(this.#visitors)
    const countsIn = (period: Period): Counts =>
      this.#toCounts(
        (action) => {
          let sum = 0
          for (let cell = 0; cell < this.size; cell++) sum += this.clicks(cell, period, action)
          return sum
        },
        this.#overall.size(period === "previous" ? 1 : 0)
      )
    return { current: countsIn("current"), previous: countsIn("previous") }
  }

  #toCounts(clicksOf: (action: ClickAction) => number, distinct: number): Counts {
    const byAction = actions.map((action) => [action, clicksOf(action)] as const)
    const clicks = byAction.reduce((sum, [, count]) => sum + count, 0)
    return {
      clicks,
      visitors: !this.#request.visitors ? null : clicks > 0 && distinct === 0 ? null : distinct,
      actions: Object.fromEntries(byAction) as Record<ClickAction, number>
    }
  }
}
