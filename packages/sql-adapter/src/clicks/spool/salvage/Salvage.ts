import { checksum, type PlacedRow } from "../SpoolRow.ts"
import { DamagedPages } from "./DamagedPages.ts"
import { PositionSet } from "./PositionSet.ts"
import { readRecords, type TableRecord } from "./tableLeaf.ts"

/** What the damaged file says of its line: how many clicks waited, and the place of the first. */
interface Line {
  readonly depth: number
  readonly head: number
}

const toRow = ({ rowid, values }: TableRecord): PlacedRow | undefined => {
  const [id, click, original, expected, ...more] = values
  if (id !== null || typeof click !== "string" || more.length > 0) return undefined
  if (original !== null && !(original instanceof Uint8Array)) return undefined
  const row = { position: rowid, click, original }
  return checksum(row) === expected ? row : undefined
}

const toLine = ({ rowid, values }: TableRecord): Line | undefined => {
  const [id, depth, head, ...more] = values
  const isLine = rowid === 1 && id === null && typeof depth === "number" && typeof head === "number"
  return isLine && more.length === 0 ? { depth, head } : undefined
}

/**
 * Reads what can be read of a damaged file, page by page: no part of it is needed to read another, except the pages that a
 * long click goes on in. What is not exactly as it was written is left out.
 */
export class Salvage {
  readonly #pages: DamagedPages
  readonly #line: Line | undefined
  readonly #met = new PositionSet()
  #lowest = Number.POSITIVE_INFINITY
  #highest = Number.NEGATIVE_INFINITY

  constructor(path: string) {
    this.#pages = new DamagedPages(path)
    this.#line = this.#findLine()
  }

  /** The clicks that waited. Without a word of where the line begins, also clicks that had left it: stored again they are one. */
  *rows(): Generator<PlacedRow> {
    for (const record of this.#records(this.#pages.count)) {
      const row = toRow(record)
      if (row === undefined || row.position < (this.#line?.head ?? 0) || !this.#met.add(row.position))
        continue
      this.#lowest = Math.min(this.#lowest, row.position)
      this.#highest = Math.max(this.#highest, row.position)
      yield row
    }
  }

  /** How many clicks `rows` has given. */
  get salvaged(): number {
    return this.#met.size
  }

  /** How many more should have been there; null when nothing is left to tell by. Known when `rows` has come to its end. */
  get suspectedLost(): number | null {
    if (this.#line !== undefined) return Math.max(0, this.#line.depth - this.salvaged)
    return this.salvaged === 0 ? null : this.#highest - this.#lowest + 1 - this.salvaged
  }

  close(): void {
    this.#pages.close()
  }

  *#records(last: number): Generator<TableRecord> {
    const readPage = (number: number) => this.#pages.read(number)
    for (let number = 1; number <= last; number++) {
      const page = readPage(number)
      if (page !== undefined) yield* readRecords(page, readPage)
    }
    const readBeyond = (number: number) => this.#pages.readBeyond(number)
    for (const page of this.#pages.beyond()) yield* readRecords(page, readBeyond)
  }

  // The last form is the newest: pages beyond the log's damage come last. The table was made first and stays in front.
  #findLine(): Line | undefined {
    let line: Line | undefined
    for (const record of this.#records(8)) line = toLine(record) ?? line
    return line
  }
}
