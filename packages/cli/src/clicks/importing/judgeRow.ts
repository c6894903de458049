import { Result } from "effect"
import { type AcceptedRow, acceptRow } from "./acceptRow.ts"
import type { InputRow } from "./InputRow.ts"
import type { Rejection } from "./Rejects.ts"
import { rowIdentity } from "./RowIdentity.ts"
import { type ImportableField, mapRow, type RowMapping } from "./RowMapping.ts"

/** A row that may be stored, or why it is not. */
export type JudgedRow = Result.Result<AcceptedRow, Rejection>

export interface JudgeOptions {
  readonly mapping: RowMapping
  /** Keeps apart files that begin with the same rows. */
  readonly namespace: string
  /** The time of import, for rows that carry none. */
  readonly now: Date
}

export interface RowJudge {
  /** Judges the next row. The ids of a row follow from all rows before it: none may be left out. */
  readonly judge: (row: InputRow) => JudgedRow
  /** Fields of `--map` that no row has filled so far. */
  readonly unfilled: () => ReadonlyArray<ImportableField>
}

/** Judges the rows of an input one after the other. */
export const rowJudge = ({ mapping, namespace, now }: JudgeOptions): RowJudge => {
  const identify = rowIdentity(namespace)
  const unfilled = new Set(mapping.mapped)
  const judge = (row: InputRow): JudgedRow => {
    if (row._tag === "Unreadable") return Result.fail({ row, reason: row.reason })
    const mapped = mapRow(mapping, row.columns)
    for (const field of unfilled) if (field in mapped) unfilled.delete(field)
    return Result.mapError(acceptRow(row, mapped, identify, now), (reason) => ({ row, reason }))
  }
  return { judge, unfilled: () => Array.from(unfilled) }
}
