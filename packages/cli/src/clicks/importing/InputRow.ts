/** A row that could be read: its values under the names of its columns (CSV) or keys (JSON). */
export interface ReadableRow {
  readonly _tag: "Readable"
  /** Line of the input on which the row begins, from 1. */
  readonly line: number
  readonly columns: Readonly<Record<string, unknown>>
  /** The row's bytes as they stand in the input. */
  readonly original: Uint8Array
}

/**
 * A row that gives its columns away when they are asked for, and reads them again when that happens once more. Rows wait in
 * their thousands to be stored, and their columns would be most of the memory.
 */
class ForgetfulRow implements ReadableRow {
  readonly _tag = "Readable"
  readonly line: number
  readonly original: Uint8Array
  #columns: ReadableRow["columns"] | undefined
  readonly #read: (original: Uint8Array) => ReadableRow["columns"]

  constructor(
    line: number,
    original: Uint8Array,
    columns: ReadableRow["columns"],
    read: (original: Uint8Array) => ReadableRow["columns"]
  ) {
    this.line = line
    this.original = original
    this.#columns = columns
    this.#read = read
  }

  get columns(): ReadableRow["columns"] {
    const columns = this.#columns ?? this.#read(this.original)
    this.#columns = undefined
    return columns
  }
}

/** A row whose columns are `columns`, which `read` finds in its bytes. */
export const readable = (...row: ConstructorParameters<typeof ForgetfulRow>): ReadableRow =>
  new ForgetfulRow(...row)

/** A row that cannot be read. `original` holds at most its first `maxRowBytes`. */
export interface UnreadableRow {
  readonly _tag: "Unreadable"
  readonly line: number
  readonly reason: string
  readonly original: Uint8Array
}

export type InputRow = ReadableRow | UnreadableRow

/**
 * Cuts an input's bytes into rows. A row that cannot be read is a row of its own and never takes its neighbours along.
 * Holds at most one row of `maxRowBytes` between calls.
 */
export interface RowReader {
  /** The rows that these bytes complete. */
  readonly push: (bytes: Uint8Array) => ReadonlyArray<InputRow>
  /** The rows that the end of the input completes; `damage` says what is wrong when the input cannot end here. */
  readonly end: () => { readonly rows: ReadonlyArray<InputRow>; readonly damage?: string }
}

/**
 * A click of the service is shorter: its body has at most 1 MiB, its headers 16 KiB, each byte of which may become two in an
 * export. What is longer is a broken file, and would otherwise have to fit in memory.
 */
export const maxRowBytes = 2 * 1024 * 1024

export const tooLong = "is longer than 2 MiB"
export const notUtf8 = "is not valid UTF-8"

export const unreadable = (line: number, reason: string, original: Uint8Array): UnreadableRow => ({
  _tag: "Unreadable",
  line,
  reason,
  original
})
