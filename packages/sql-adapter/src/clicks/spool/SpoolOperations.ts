import type { PlacedRow, SpoolRow } from "./SpoolRow.ts"

export interface LocalStatus {
  readonly depth: number
  readonly bytes: number
  /** The click that waits longest. */
  readonly oldest: SpoolRow | null
  readonly setAside: number
  readonly isDiskFull: boolean
}

export interface LocalCheck {
  readonly clicks: number
  /** Clicks that were taken out of the line because this version can make nothing of them. */
  readonly unreadable: number
  /** The damaged files. */
  readonly setAside: ReadonlyArray<string>
}

/** What the thread of the spool does for the others. Each throws `SpoolTrouble`. */
export interface SpoolOperations {
  readonly append: (rows: ReadonlyArray<SpoolRow>) => void
  readonly peek: (limit: number, after: number) => ReadonlyArray<PlacedRow>
  readonly remove: (positions: ReadonlyArray<number>) => void
  readonly exclude: (positions: ReadonlyArray<number>) => void
  readonly status: () => LocalStatus
  readonly check: () => LocalCheck
}
