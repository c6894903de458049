import { actions } from "@clicks/core/clicks/ClickEvent"
import { type Column, unidentified } from "../../clicks/counting/chunkColumns.ts"
import type { PairIndex } from "./PairIndex.ts"

// Of a cell in one period: clicks by action, and those that identify no visitor.
export const counters = actions.length + 1

// Loops over clicks are functions of their own: in a closure they take up to four times as long.

/** Leaves out the clicks of other cells; returns the number of those left. */
export const keepSome = (rows: Int32Array, cells: Int32Array, some: Uint8Array, count: number): number => {
  let kept = 0
  for (let index = 0; index < count; index++) {
    const cell = cells[index] as number
    if (some[cell] !== 1) continue
    rows[kept] = rows[index] as number
    cells[kept++] = cell
  }
  return kept
}

/** Writes the values at `rows`. */
export const readAll = (
  values: Column,
  mask: number,
  rows: Int32Array,
  read: Int32Array,
  count: number
): void => {
  for (let index = 0; index < count; index++) read[index] = (values[rows[index] as number] as number) & mask
}

/** Counts the actions of clicks in the counters of their cells. */
export const addActions = (
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

/** Finds the given pairs, and leaves out the clicks of others; returns the number of those left. */
export const keepGiven = (
  index: PairIndex,
  rows: Int32Array,
  cells: Int32Array,
  values: Int32Array,
  count: number
): number => {
  let kept = 0
  for (let at = 0; at < count; at++) {
    const cell = index.find(cells[at] as number, values[at] as number)
    if (cell < 0) continue
    rows[kept] = rows[at] as number
    cells[kept++] = cell
  }
  return kept
}
