import type { CountRequest, CountRow, Counts, Keys } from "@clicks/core/analytics/ClickCounts"
import { actions, type ClickAction } from "@clicks/core/clicks/ClickEvent"
import { type Column, unidentified } from "../../clicks/counting/chunkColumns.ts"
import { type Chunk, columnOf } from "./Chunk.ts"
import { doubled, PairIndex } from "./PairIndex.ts"
import { Slots } from "./Slots.ts"
import { actionId, type IdOf, makeSelectRows, type Period, type SelectRows } from "./selectRows.ts"
import { VisitorSets } from "./VisitorSets.ts"

// Of a cell in one period: clicks by action, and those that identify no visitor.
const counters = actions.length + 1

/** The text of an id. */
export type TextOf = (id: number) => string | null

// Loops over clicks are functions of their own: in a closure they take up to four times as long.

/** Leaves out the clicks of other cells; returns the number of those left. */
const keepSome = (rows: Int32Array, cells: Int32Array, some: Uint8Array, count: number): number => {
  let kept = 0
  for (let index = 0; index < count; index++) {
    const cell = cells[index] as number
    if (some[cell] !== 1) continue
    rows[kept] = rows[index] as number
    cells[kept++] = cell
  }
  return kept
}

/** Counts the actions of clicks in the counters of their cells. */
const addActions = (
  action: Column,
  rows: Int32Array,
  cells: Int32Array,
  counts: Int32Array,
  period: number,
  count: number
): void => {
  for (let index = 0; index < count; index++) {
    const code = action[rows[index] as number] as number
    const first = (cells[index] as number) * 2 * counters + period
    ;(counts[first + (code & 7) - 1] as number)++
    if (code >= unidentified) (counts[first + counters - 1] as number)++
  }
}

/** The cells of a request, one per combination of values of its fields and slot of its axis, with the counts of each. */
export class Cells {
  readonly #request: CountRequest
  readonly #selectRows: SelectRows
  /** The values of cells, field after field: a pair is the number of the values before and an id. */
  readonly #indexes: ReadonlyArray<PairIndex>
  /** The number of fields whose values are given. */
  readonly #given: number
  readonly #slots: Slots | undefined
  readonly #bySlot = new PairIndex()
  readonly #lastVisitor: number
  #visitors: VisitorSets
  #counts = new Int32Array(16 * 2 * counters)
  #rows = new Int32Array(0)
  #cells = new Int32Array(0)

  /** For visitors with ids up to `lastVisitor`. */
  constructor(request: CountRequest, idOf: IdOf, lastVisitor: number) {
    const { axis, fields, only } = request
    this.#request = request
    this.#lastVisitor = lastVisitor
    this.#visitors = new VisitorSets(lastVisitor)
    this.#selectRows = makeSelectRows(request, idOf)
    this.#indexes = fields.map(() => new PairIndex())
    this.#given = only?.[0]?.length ?? 0
    this.#slots = axis && new Slots(axis, request)
    for (const keys of only ?? []) this.#give(keys, idOf)
  }

  /** The number of cells, of which some may have no clicks. */
  get size(): number {
    return this.#slots ? this.#bySlot.size : (this.#indexes.at(-1)?.size ?? 1)
  }

  #give(keys: Keys, idOf: IdOf): void {
    const ids = keys.map((key, depth) =>
      this.#request.fields[depth] === "action" ? actionId(key) : idOf(key)
    )
    if (ids.includes(undefined)) return
    ids.reduce<number>((cell, id, depth) => this.#indexes[depth]?.add(cell, id ?? 0) ?? 0, 0)
  }

  /** Counts the clicks of a chunk, and their visitors. */
  addClicks(chunk: Chunk, withVisitors: boolean): void {
    const action = columnOf(chunk, "action")
    this.#eachPeriod(chunk, (count, isPrevious) => {
      const places = this.size * 2 * counters
      if (places > this.#counts.length) this.#counts = doubled(this.#counts, places)
      const [rows, cells, counts] = [this.#rows, this.#cells, this.#counts]
      addActions(action, rows, cells, counts, isPrevious ? counters : 0, count)
      if (withVisitors)
        this.#visitors.addAll(columnOf(chunk, "visitor"), rows, cells, isPrevious ? 1 : 0, count)
    })
  }

  /** Adds the visitors of the clicks of a chunk to some of the cells. */
  addVisitorsOf(chunk: Chunk, some: Uint8Array): void {
    this.#eachPeriod(chunk, (count, isPrevious) => {
      const [rows, cells] = [this.#rows, this.#cells]
      const kept = keepSome(rows, cells, some, count)
      this.#visitors.addAll(columnOf(chunk, "visitor"), rows, cells, isPrevious ? 1 : 0, kept)
    })
  }

  /** Forgets the visitors added so far. */
  dropVisitors(): void {
    this.#visitors = new VisitorSets(this.#lastVisitor)
  }

  #eachPeriod(chunk: Chunk, count: (clicks: number, isPrevious: boolean) => void): void {
    if (this.#rows.length < chunk.n) {
      this.#rows = new Int32Array(chunk.n)
      this.#cells = new Int32Array(chunk.n)
    }
    for (const period of this.#request.only?.length === 0 ? [] : (["current", "previous"] as const)) {
      const selected = this.#selectRows(chunk, period, this.#rows)
      const isPrevious = period === "previous"
      if (selected > 0) count(this.#intoCells(chunk, isPrevious, selected), isPrevious)
    }
  }

  /** Finds the cell of each selected click. Leaves out those whose values are not among the given ones; returns the number of others. */
  #intoCells(chunk: Chunk, isPrevious: boolean, selected: number): number {
    this.#cells.fill(0, 0, selected)
    let count = selected
    for (const [depth, field] of this.#request.fields.entries()) {
      const values = columnOf(chunk, field)
      const index = this.#indexes[depth] as PairIndex
      const mask = field === "action" ? 7 : -1
      if (depth < this.#given) count = this.#intoGiven(values, mask, index, count)
      else index.addAll(this.#cells, values, this.#rows, mask, count)
    }
    if (this.#slots)
      this.#intoSlots(chunk, this.#slots.within(chunk, isPrevious ? "previous" : "current"), count)
    return count
  }

  #intoGiven(values: Column, mask: number, index: PairIndex, count: number): number {
    const [rows, cells] = [this.#rows, this.#cells]
    let kept = 0
    for (let at = 0; at < count; at++) {
      const row = rows[at] as number
      const cell = index.find(cells[at] as number, (values[row] as number) & mask)
      if (cell < 0) continue
      rows[kept] = row
      cells[kept++] = cell
    }
    return kept
  }

  #intoSlots(chunk: Chunk, slotOf: (instant: number) => number, count: number): void {
    const at = columnOf(chunk, "at")
    const { middle } = chunk
    const [rows, cells, bySlot] = [this.#rows, this.#cells, this.#bySlot]
    // Neighbours mostly lie in one slot.
    let [lastCell, lastSlot, last] = [-1, -1, 0]
    for (let index = 0; index < count; index++) {
      const slot = slotOf(middle + (at[rows[index] as number] as number))
      const cell = cells[index] as number
      if (cell !== lastCell || slot !== lastSlot) {
        lastCell = cell
        lastSlot = slot
        last = bySlot.add(cell, slot)
      }
      cells[index] = last
    }
  }

  /** The clicks of a cell: of one action, or of all. */
  clicks(cell: number, period: Period, action?: ClickAction): number {
    const first = cell * 2 * counters + (period === "previous" ? counters : 0)
    if (action !== undefined) return this.#counts[first + actionId(action) - 1] ?? 0
    let sum = 0
    for (let index = 0; index < actions.length; index++) sum += this.#counts[first + index] ?? 0
    return sum
  }

  /** The clicks of a cell in the current period that identify no visitor. */
  unidentified(cell: number): number {
    return this.#counts[cell * 2 * counters + counters - 1] ?? 0
  }

  /** The ids of the values of a cell; those of fields that have texts. */
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
    const { fields, visitors } = this.#request
    const countsIn = (period: Period): Counts => {
      const clicks = this.clicks(cell, period)
      const distinct = this.#visitors.size(cell * 2 + (period === "previous" ? 1 : 0))
      const byAction = actions.map((action) => [action, this.clicks(cell, period, action)])
      return {
        clicks,
        visitors: !visitors ? null : clicks > 0 && distinct === 0 ? null : distinct,
        actions: Object.fromEntries(byAction) as Record<ClickAction, number>
      }
    }
    return {
      keys: this.ids(cell).map((id, depth) =>
        fields[depth] === "action" ? (actions[id - 1] ?? null) : textOf(id)
      ),
      slot: this.#slots?.values[this.#bySlot.second(cell)],
      current: countsIn("current"),
      previous: countsIn("previous")
    }
  }
}
