import type { ClickStore } from "@clicks/core/clicks/ClickStore"
import type { Quarantine } from "@clicks/core/clicks/recording/Quarantine"
import { type Duration, Effect, Result, Stream } from "effect"
import type { CommandFailed } from "../../CommandError.ts"
import type { JudgedRow } from "./judgeRow.ts"
import type { Rejection } from "./Rejects.ts"
import { storeRows } from "./storeRows.ts"

/** What became of a number of rows: `read` is the sum of `imported`, `duplicates` and `rejected`. */
export interface ImportCounts {
  readonly read: number
  /** Rows that are clicks now; in a dry run: rows that would be stored or found to be there already. */
  readonly imported: number
  /** Rows that were stored before. */
  readonly duplicates: number
  readonly rejected: number
  /** Imported rows and duplicates of which a value could not be stored; the original row is in the quarantine. */
  readonly quarantined: number
}

export interface BatchOutcome {
  readonly counts: ImportCounts
  readonly rejections: ReadonlyArray<Rejection>
  /** Line of the batch's last row. */
  readonly lastLine: number
  /** Accepted rows that carry neither an id nor a time, so that rows of another file may be just the same. */
  readonly undated: number
}

export interface ImportRowsOptions {
  /** Judge only, store nothing. */
  readonly dryRun: boolean
  /** How long the database may be away. */
  readonly within: Duration.Duration
}

const lineOf = (judged: JudgedRow): number =>
  Result.isSuccess(judged) ? judged.success.row.line : judged.failure.row.line

const store = Effect.fnUntraced(function* (
  batch: ReadonlyArray<JudgedRow>,
  { dryRun, within }: ImportRowsOptions
) {
  const accepted = batch.filter(Result.isSuccess).map(({ success }) => success)
  const rejected = batch.filter(Result.isFailure).map(({ failure }) => failure)
  const { added, refused } = dryRun
    ? { added: accepted.length, refused: [] }
    : yield* storeRows(accepted, within)
  const rejections = [
    ...rejected,
    ...refused.map(({ row }) => ({ row, reason: "was rejected by the database" }))
  ].toSorted((a, b) => a.row.line - b.row.line)
  const last = batch.at(-1)
  const counts: ImportCounts = {
    read: batch.length,
    imported: added,
    duplicates: batch.length - rejections.length - added,
    rejected: rejections.length,
    quarantined: accepted.filter((row) => row.quarantined !== null).length
  }
  return {
    counts,
    rejections,
    lastLine: last === undefined ? 0 : lineOf(last),
    undated: accepted.filter((row) => row.isUndated).length
  }
})

// While batches are stored the next is read. More of them hold more memory and cost as much processor time.
const concurrentBatches = 3

/**
 * Stores batches of rows that are judged, in constant memory. The outcomes come in the order of the input. Fails when the
 * database stays away; what came out before then is stored.
 */
export const importRows = <E, R>(
  batches: Stream.Stream<ReadonlyArray<JudgedRow>, E, R>,
  options: ImportRowsOptions
): Stream.Stream<BatchOutcome, E | CommandFailed, R | ClickStore | Quarantine> =>
  Stream.mapEffect(batches, (batch) => store(batch, options), { concurrency: concurrentBatches })
