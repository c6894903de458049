import { actions } from "@clicks/core/clicks/ClickFilter"
import { unidentified } from "../../clicks/counting/chunkColumns.ts"
import type { Coded } from "./Chunk.ts"
import type { PairIndex } from "./PairIndex.ts"

// The number of counters of a cell in one period: clicks by action, and clicks that identify no visitor.
export const counters = actions.length + 1

// Each loop over clicks is a separate function, because in a closure it takes up to four times as long. The same happens if one array
// access sees several types of arrays, or if the processor mispredicts whether a click is kept. So every click is written, and overwritten
// if it is not kept.

/** Keeps only the clicks of the cells in `some`. Returns their number. */
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

/** Drops the clicks without a cell (-1). Returns the number of the others. */
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

/** Keeps only the clicks with the codes in `some`. Returns their number. */
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

/** Writes the values of the codes at `rows` into `read`. */
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

/** Adds the actions of clicks to the counters of their cells. */
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
    if ((code & unidentified) > 0) (counts[first + counters - 1] as number)++
  }
}

/** Finds the cells of clicks with given pairs, and drops the other clicks. Returns the number of those kept. */
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
