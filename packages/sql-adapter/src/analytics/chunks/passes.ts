import { actions } from "@clicks/core/clicks/ClickFilter"
import { unidentified } from "../../clicks/counting/chunkColumns.ts"
import type { Coded } from "./Chunk.ts"
import type { PairIndex } from "./PairIndex.ts"

// Of a cell in one period: clicks by action, and those that identify no visitor.
export const counters = actions.length + 1

// Loops over clicks are functions of their own: in a closure they take up to four times as long. So they do where one access to an array sees
// several types of arrays, and where the processor guesses wrong whether a click is kept: then clicks are written, and overwritten if not kept.

/** Leaves out the clicks of other cells; returns the number of those left. */
export const keepSome = (rows: Int32Array, cells: Int32Array, some: Uint8Array, count: number): number => {
  let kept = 0
  for (let index = 0; index < count; index++) {
    const cell = cells[index] as number
    rows[kept] = rows[index] as number
    cells[kept] = cell
    kept += some[cell] as number
  }
  return kept
}

/** Leaves out the clicks without a cell (-1); returns the number of those left. */
export const keepKnown = (rows: Int32Array, cells: Int32Array, count: number): number => {
  let kept = 0
  for (let index = 0; index < count; index++) {
    const cell = cells[index] as number
    rows[kept] = rows[index] as number
    cells[kept] = cell
    kept += (cell >>> 31) ^ 1
  }
  return kept
}

/** Leaves out the clicks with other codes than `some`; returns the number of those left. */
export const keepCodes = (
  { codes }: Pick<Coded, "codes">,
  some: Uint8Array,
  rows: Int32Array,
  count: number
): number => {
  let kept = 0
  if (codes instanceof Uint8Array)
    for (let index = 0; index < count; index++) {
      const row = rows[index] as number
      rows[kept] = row
      kept += some[codes[row] as number] as number
    }
  else
    for (let index = 0; index < count; index++) {
      const row = rows[index] as number
      rows[kept] = row
      kept += some[codes[row] as number] as number
    }
  return kept
}

/** Writes what the codes at `rows` stand for. */
export const readAll = (
  { codes }: Pick<Coded, "codes">,
  values: Int32Array,
  rows: Int32Array,
  read: Int32Array,
  count: number
): void => {
  if (codes instanceof Uint8Array)
    for (let index = 0; index < count; index++)
      read[index] = values[codes[rows[index] as number] as number] as number
  else
    for (let index = 0; index < count; index++)
      read[index] = values[codes[rows[index] as number] as number] as number
}

/** Counts the actions of clicks in the counters of their cells. */
export const addActions = (
  { codes }: Coded,
  rows: Int32Array,
  cells: Int32Array,
  counts: Int32Array,
  period: number,
  count: number
): void => {
  for (let index = 0; index < count; index++) {
    const code = codes[rows[index] as number] as number
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
