import type { BatchOutcome, ImportCounts } from "./importRows.ts"
import type { Rejection } from "./Rejects.ts"

// Enough to see what is wrong; the file of `--rejects` has them all.
const shown = 10

/** What an import has done so far. */
export interface ImportSummary {
  readonly counts: ImportCounts
  readonly firstRejections: ReadonlyArray<Rejection>
  readonly lastLine: number
  readonly undated: number
}

export const emptySummary: ImportSummary = {
  counts: { read: 0, imported: 0, duplicates: 0, rejected: 0, quarantined: 0 },
  firstRejections: [],
  lastLine: 0,
  undated: 0
}

export const addOutcome = (summary: ImportSummary, outcome: BatchOutcome): ImportSummary => ({
  counts: {
    read: summary.counts.read + outcome.counts.read,
    imported: summary.counts.imported + outcome.counts.imported,
    duplicates: summary.counts.duplicates + outcome.counts.duplicates,
    rejected: summary.counts.rejected + outcome.counts.rejected,
    quarantined: summary.counts.quarantined + outcome.counts.quarantined
  },
  firstRejections: [...summary.firstRejections, ...outcome.rejections].slice(0, shown),
  lastLine: outcome.lastLine,
  undated: summary.undated + outcome.undated
})
