import type { SpoolRow } from "./SpoolRow.ts"

export const pageSize = 4096

// What SQLite keeps of a row beside its values (position, lengths, checksum, pointer) and of a page beside its rows.
const rowOverhead = 32
const pageOverhead = 16
// Beyond this a row goes on in pages of its own (sqlite.org/fileformat2.html, "B-tree Cell Format").
const mostInPlace = pageSize - 35

const pagesOf = (row: SpoolRow): number => {
  const size = Buffer.byteLength(row.click) + (row.original?.length ?? 0) + rowOverhead
  return size > mostInPlace
    ? 1 + Math.ceil(size / (pageSize - 4))
    : 1 / Math.floor((pageSize - pageOverhead) / size)
}

/** Pages that the rows need at most, with those that change beside them (the root, the counters, the list of free pages). */
export const pagesNeeded = (rows: ReadonlyArray<SpoolRow>): number =>
  8 + Math.ceil(1.02 * rows.reduce((pages, row) => pages + pagesOf(row), 0))

export interface Space {
  /** Pages of the file, free ones included. */
  readonly pages: number
  readonly free: number
  /** Bytes of the write-ahead log. */
  readonly log: number
}

/** Bytes on disk after `needed` more pages were written: first to the log, from there to the file. */
export const bytesAfter = ({ free, log, pages }: Space, needed: number): number => {
  const file = Math.max(pages, pages - free + needed)
  const frame = pageSize + 24
  return file * pageSize + log + needed * frame
}
