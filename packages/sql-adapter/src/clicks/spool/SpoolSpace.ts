import { statfsSync } from "node:fs"
import type { SpoolRow } from "./SpoolRow.ts"

export const pageSize = 4096

// A page in the write-ahead log has a header of its own.
const frameSize = pageSize + 24

// What SQLite keeps of a row beside its values (position, lengths, checksum, pointer) and of a page beside its rows.
const rowOverhead = 32
const pageOverhead = 16
// Beyond this a row goes on in pages of its own (sqlite.org/fileformat2.html, "B-tree Cell Format").
const mostInPlace = pageSize - 35

// Pages that change beside those of the rows: the root and what is below it, the counters, the list of free pages.
const besides = 8

const pagesOf = (row: SpoolRow): number => {
  const size = Buffer.byteLength(row.click) + (row.original?.length ?? 0) + rowOverhead
  return size > mostInPlace
    ? 1 + Math.ceil(size / (pageSize - 4))
    : 1 / Math.floor((pageSize - pageOverhead) / size)
}

/** Pages that writing the rows changes at most. */
export const pagesNeeded = (rows: ReadonlyArray<SpoolRow>): number =>
  besides + Math.ceil(1.02 * rows.reduce((pages, row) => pages + pagesOf(row), 0))

/** Bytes that the disk of the folder has left. */
export const freeBytes = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** Pages of the file and bytes of its write-ahead log. */
export interface SpaceUsed {
  readonly pages: number
  readonly free: number
  readonly log: number
}

/**
 * How much of the disk the file, its log and the reserve may take together. A page that changes is written to the log first and from
 * there to the file; also one that is given free.
 */
export class SpaceLimit {
  readonly #maxBytes: number
  /** Left to the log when the file can grow no more: without it, nothing could be taken out of a full spool. */
  readonly #logShare: number

  /** Bytes of the disk that are kept for taking clicks out when it is full. The log takes 4 MiB before it is written to the file. */
  readonly reserve: number

  constructor(maxBytes: number) {
    this.reserve = Math.min(8 * 1024 * 1024, Math.floor(maxBytes / 8))
    this.#maxBytes = maxBytes - this.reserve
    this.#logShare = Math.max(128 * 1024, this.reserve)
  }

  get maxPages(): number {
    return Math.max(8, Math.floor((this.#maxBytes - this.#logShare) / pageSize))
  }

  /** Rows that can be taken out at once when the log is empty: each may be alone on its page. */
  get rowsToRemove(): number {
    return Math.floor(this.#logShare / frameSize) - besides
  }

  allowsAdding(pagesToWrite: number, { free, log, pages }: SpaceUsed): boolean {
    const file = Math.max(pages, pages - free + pagesToWrite)
    return file <= this.maxPages && this.#holds(file, log, pagesToWrite)
  }

  allowsRemoving(rows: number, { log, pages }: SpaceUsed): boolean {
    return this.#holds(pages, log, rows + besides)
  }

  #holds(filePages: number, log: number, pagesToWrite: number): boolean {
    return filePages * pageSize + log + pagesToWrite * frameSize <= this.#maxBytes
  }
}
