import { Record } from "effect"
import { countOf, grouped } from "../../terminal/format.ts"
import { visibleText } from "../../terminal/visibleText.ts"
import type { Rejection } from "./Rejects.ts"

/** Counts of rows: `read` is the sum of `imported`, `duplicates` and `rejected`. */
export interface ImportCounts {
  readonly read: number
  /** Rows that were stored; in a dry run, rows that are valid. */
  readonly imported: number
  /** Rows that had been stored before. */
  readonly duplicates: number
  readonly rejected: number
  /** Imported rows and duplicates with a value that could not be stored; their originals are in the quarantine. */
  readonly quarantined: number
}

/** The result of a batch or, with the first ten `rejections`, of the import so far. */
export interface ImportSummary {
  readonly counts: ImportCounts
  readonly rejections: ReadonlyArray<Rejection>
  /** Line of the last row. */
  readonly lastLine: number
  /** Accepted rows with neither an id nor a time: another file may have identical rows. */
  readonly undated: number
}

const rejectionsShown = 10

export const emptySummary: ImportSummary = {
  counts: { read: 0, imported: 0, duplicates: 0, rejected: 0, quarantined: 0 },
  rejections: [],
  lastLine: 0,
  undated: 0
}

export const addOutcome = (summary: ImportSummary, outcome: ImportSummary): ImportSummary => ({
  counts: Record.map(summary.counts, (count, name) => count + outcome.counts[name]),
  rejections: [...summary.rejections, ...outcome.rejections].slice(0, rejectionsShown),
  lastLine: outcome.lastLine,
  undated: summary.undated + outcome.undated
})

/** The counts as a small table. */
export const countsTable = (counts: ImportCounts, dryRun: boolean): string => {
  const rows: ReadonlyArray<readonly [string, string]> = [
    ["read", grouped(counts.read)],
    [dryRun ? "would be imported" : "imported", grouped(counts.imported)],
    ["duplicates", dryRun ? "not checked" : grouped(counts.duplicates)],
    ["rejected", grouped(counts.rejected)],
    ...(counts.quarantined > 0 ? [["with invalid values", grouped(counts.quarantined)] as const] : [])
  ]
  const nameWidth = Math.max(...rows.map(([name]) => name.length))
  const countWidth = Math.max(...rows.map(([, count]) => count.length))
  return rows.map(([name, count]) => `${name.padEnd(nameWidth)}  ${count.padStart(countWidth)}`).join("\n")
}

const rejectionLines = ({ counts, rejections }: ImportSummary, rejects: string | undefined) => {
  const lines = rejections.map(({ reason, row }) => `line ${row.line}: ${visibleText(reason)}`)
  const more = counts.rejected - rejections.length
  if (rejects !== undefined && counts.rejected > 0)
    lines.push(
      `${countOf(counts.rejected, "rejected row")} in ${rejects}, with reasons. Fix and import that file`
    )
  else if (more > 0) lines.push(`and ${countOf(more, "more row")}. Use --rejects <file> to save them all`)
  return lines
}

/** Remarks below the counts, one per line. `unfilled`: the fields of `--map` for which no row has a value. */
export const remarks = (
  summary: ImportSummary,
  unfilled: ReadonlyArray<string>,
  options: { readonly rejects?: string; readonly namespace?: string; readonly dryRun?: boolean }
): ReadonlyArray<string> => {
  const { duplicates, quarantined } = summary.counts
  const lines = rejectionLines(summary, options.rejects)
  if (quarantined > 0 && !options.dryRun)
    lines.push(`${countOf(quarantined, "click")} with an invalid value; the originals are in the quarantine`)
  if (unfilled.length > 0)
    lines.push(`No row has a value for --map ${unfilled.join(", ")}. Check the column name`)
  if (duplicates > 0 && summary.undated > 0 && !options.namespace)
    lines.push(
      "Rows without id and occurred_at count as duplicates if another file begins with the same rows. Use --namespace <text> to distinguish files"
    )
  return lines
}
