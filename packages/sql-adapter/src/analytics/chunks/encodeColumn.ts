import { half } from "../../clicks/counting/chunkColumns.ts"
import type { Coded, Column, Visitors } from "./Chunk.ts"
import { PairIndex } from "./PairIndex.ts"

export const quarter = 900_000

export const quartersPerBin = Math.ceil((2 * half) / quarter)
const quarterNumbers = Int32Array.from({ length: quartersPerBin }, (_, place) => place)

// The number of an action without the bit `unidentified`.
const actionNumbers = Int32Array.from({ length: 16 }, (_, code) => code & 7)

const toVisitors = (ids: Int32Array, order: Uint16Array): Visitors => {
  const n = ids.length
  const low = new Uint16Array(n)
  const starts: Array<number> = []
  for (let at = 0; at < n; at++) {
    const id = ids[order[at] as number] as number
    while (starts.length <= id >>> 16) starts.push(at)
    low[at] = id
  }
  return { low, starts: Int32Array.of(...starts, n) }
}

const toTimes = (times: Int32Array, order: Uint16Array): Int32Array => {
  const sorted = new Int32Array(times.length)
  for (let at = 0; at < times.length; at++) sorted[at] = times[order[at] as number] as number
  return sorted
}

const toQuarters = (times: Int32Array, order: Uint16Array): Coded => {
  const codes = new Uint16Array(times.length)
  for (let at = 0; at < times.length; at++)
    codes[at] = (((times[order[at] as number] as number) + half) / quarter) | 0
  return { codes, values: quarterNumbers }
}

const toActions = (actions: Uint8Array, order: Uint16Array): Coded => {
  const codes = new Uint8Array(actions.length)
  for (let at = 0; at < actions.length; at++) codes[at] = actions[order[at] as number] as number
  return { codes, values: actionNumbers }
}

const toCoded = (ids: Int32Array, order: Uint16Array): Coded => {
  const index = new PairIndex(20)
  const codes = new Uint16Array(ids.length)
  index.encode(ids, order, codes)
  const values = Int32Array.from({ length: index.size }, (_, code) => index.second(code))
  return { codes: index.size <= 256 ? Uint8Array.from(codes) : codes, values }
}

/** The column that another one is made of. */
export const sourceOf = (name: string): string => (name === "quarter" ? "at" : name)

/** A column of a chunk in memory, made of the values as they were read (`sourceOf`), in the order of visitors. */
export const encodeColumn = (name: string, read: Int32Array | Uint8Array, order: Uint16Array): Column => {
  if (read instanceof Uint8Array) return toActions(read, order)
  if (name === "visitor") return toVisitors(read, order)
  if (name === "at") return toTimes(read, order)
  return name === "quarter" ? toQuarters(read, order) : toCoded(read, order)
}
