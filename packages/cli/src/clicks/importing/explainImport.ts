import { countOf, grouped } from "../../terminal/format.ts"
import { visibleText } from "../../terminal/visibleText.ts"
import type { ImportSummary } from "./ImportSummary.ts"
import type { ImportCounts } from "./importRows.ts"

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

const rejections = ({ counts, firstRejections }: ImportSummary, rejects: string | undefined) => {
  const lines = firstRejections.map(({ reason, row }) => `line ${row.line}: ${visibleText(reason)}`)
  const more = counts.rejected - firstRejections.length
  if (rejects !== undefined && counts.rejected > 0) {
    return [
      ...lines,
      `${countOf(counts.rejected, "rejected row")} in ${rejects}, with reasons. Fix and import that file`
    ]
  }
  return more > 0
    ? [...lines, `and ${countOf(more, "more row")}. Use --rejects <file> to save them all`]
    : lines
}

/** What a person should know beside the counts, a line each. `unfilled`: the fields of `--map` that no row filled. */
export const remarks = (
  summary: ImportSummary,
  unfilled: ReadonlyArray<string>,
  options: { readonly rejects: string | undefined; readonly namespace: string; readonly dryRun: boolean }
): ReadonlyArray<string> => {
  const { duplicates, quarantined } = summary.counts
  const lines = [...rejections(summary, options.rejects)]
  if (quarantined > 0 && !options.dryRun) {
    lines.push(`${countOf(quarantined, "click")} with an invalid value; the originals are in the quarantine`)
  }
  if (unfilled.length > 0) {
    lines.push(`--map ${unfilled.join(", ")} filled no row. Check the column name`)
  }
  if (duplicates > 0 && summary.undated > 0 && options.namespace === "") {
    lines.push(
      "Rows without id and occurred_at count as duplicates if another file begins with the same rows. Use --namespace <text> to distinguish files"
    )
  }
  return lines
}
