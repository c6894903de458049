import { crc32 } from "node:zlib"
import { SpoolDamaged } from "./SpoolTrouble.ts"

/** A waiting click as the file keeps it. */
export interface SpoolRow {
  /** The click as JSON; `SpoolRowCodec` reads and writes it. */
  readonly click: string
  /** The bytes as they were sent, where storing the click loses something. */
  readonly original: Uint8Array | null
}

/** A row and its place in the line. */
export interface PlacedRow extends SpoolRow {
  readonly position: number
}

/** CRC-32 of a row. SQLite notices damage to its structure; this notices damage to the values. */
export const checksum = ({ click, original }: SpoolRow): number =>
  original === null ? crc32(click) : crc32(original, crc32(click))

/** What the columns `position, click, original, checksum` hold; throws `SpoolDamaged` when that is not what was written. */
export const toRow = (columns: Readonly<Record<string, unknown>>): PlacedRow => {
  const { click, original, position } = columns
  const isWhole =
    typeof position === "number" &&
    typeof click === "string" &&
    (original === null || original instanceof Uint8Array)
  if (!isWhole) throw new SpoolDamaged("A row has lost its form")
  const row = { position, click, original }
  if (checksum(row) === columns["checksum"]) return row
  throw new SpoolDamaged(`The click at position ${position} is not what was written`)
}

/** Positions as ranges from first to last, so that one statement takes a whole batch. */
export const rangesOf = (positions: ReadonlyArray<number>): ReadonlyArray<readonly [number, number]> => {
  const ranges: Array<[number, number]> = []
  for (const position of positions.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last !== undefined && position <= last[1] + 1) last[1] = position
    else ranges.push([position, position])
  }
  return ranges
}
