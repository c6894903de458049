import { half, inSession, mostClicks } from "../../clicks/counting/chunkColumns.ts"
import type { Coded, Column, Sessions, Visitors } from "./Chunk.ts"
import { PairIndex } from "./PairIndex.ts"

export const quarter = 900_000

export const quartersPerBin = Math.ceil((2 * half) / quarter)
const quarterNumbers = Int32Array.from({ length: quartersPerBin }, (_, place) => place)

// The number of an action without the bits `unidentified` and `inSession`.
const actionNumbers = Int32Array.from({ length: 32 }, (_, code) => code & 7)

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

// Reused for all columns. Ten million clicks need hundreds of them, and allocating memory each time would cost a second of garbage
// collection.
const index = new PairIndex(20)
const allCodes = new Uint16Array(mostClicks)

const toCoded = (ids: Int32Array, order: Uint16Array): Coded => {
  index.clear()
  const codes = allCodes.subarray(0, ids.length)
  index.encode(ids, order, codes)
  const values = Int32Array.from({ length: index.size }, (_, code) => index.second(code))
  return { codes: index.size <= 256 ? new Uint8Array(codes) : codes.slice(), values }
}

// Uses as many bits of the hash as a double can hold: a visitor has too few sessions for two of them to share these bits.
const toHash = (high: number, low: number): number => high * 2 ** 21 + (low >>> 11)

/** The clicks of a session are mostly consecutive, so a code stands for the session of a run of clicks. */
const toSessions = (halves: Int32Array, actions: Uint8Array, order: Uint16Array): Sessions => {
  if (halves.length === 0) return { codes: new Uint16Array(), values: new Float64Array() }
  const hashes = new Float64Array(actions.length).fill(Number.NaN)
  let known = 0
  for (let row = 0; row < actions.length; row++)
    if ((actions[row] as number) >= inSession)
      hashes[row] = toHash(halves[known++] as number, halves[known++] as number)
  const codes = new Uint16Array(actions.length)
  const values: Array<number> = []
  for (let at = 0; at < codes.length; at++) {
    const hash = hashes[order[at] as number] as number
    if (at === 0 || !Object.is(hash, values.at(-1))) values.push(hash)
    codes[at] = values.length - 1
  }
  return { codes, values: Float64Array.from(values) }
}

/** The stored columns from which a column is computed. */
export const sourcesOf = (name: string): ReadonlyArray<string> => {
  if (name === "session") return ["session", "action"]
  return [name === "quarter" ? "at" : name]
}

type Read = Int32Array | Uint8Array

/**
 * Computes a column of a chunk, in the order of visitors. `read` contains the columns that it needs (`sourcesOf`), in their stored form.
 */
export const encodeColumn = (name: string, read: ReadonlyMap<string, Read>, order: Uint16Array): Column => {
  const stored = (source: string) => read.get(source) as Int32Array
  if (name === "session") return toSessions(stored(name), read.get("action") as Uint8Array, order)
  if (name === "action") return toActions(read.get(name) as Uint8Array, order)
  if (name === "visitor") return toVisitors(stored(name), order)
  if (name === "at") return toTimes(stored(name), order)
  return name === "quarter" ? toQuarters(stored("at"), order) : toCoded(stored(name), order)
}
