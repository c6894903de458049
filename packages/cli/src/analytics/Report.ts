/** A record of a CSV file: the same columns in each. */
export type CsvRecord = Readonly<Record<string, string | number | null>>

/** An answer in each format. */
export interface Report {
  /** What the HTTP API answers. */
  readonly answer: unknown
  readonly records: ReadonlyArray<CsvRecord>
  /** The table for a terminal of this width; empty if there are no rows. */
  readonly table: (width: number) => string
  /** Lines below the table. */
  readonly notes: ReadonlyArray<string>
}
