import type { ClickStore, ClickStoreError } from "@clicks/core/clicks/ClickStore"
import { insertHalving } from "@clicks/core/clicks/recording/insertHalving"
import { Quarantine, type QuarantinedClick, refusal } from "@clicks/core/clicks/recording/Quarantine"
import type { PortError } from "@clicks/core/values/PortError"
import { Duration, Effect, Predicate, Result, Schedule, Stream } from "effect"
import { CommandFailed } from "../../CommandError.ts"
import type { ImportSummary } from "./ImportSummary.ts"
import type { AcceptedRow, JudgedRow } from "./judgeRow.ts"

export interface StoreOptions {
  /** Store nothing. */
  readonly dryRun: boolean
  /** How long to retry while the database is unavailable; 0 for a single attempt. */
  readonly within: Duration.Duration
}

const pauses = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("2 seconds")])

/** Retries for `within` until the database responds. Logs the first failure. */
const retryUntilAvailable = <A, R>(
  attempt: Effect.Effect<A, ClickStoreError | PortError, R>,
  within: Duration.Duration
): Effect.Effect<A, CommandFailed, R> => {
  if (Duration.isZero(within)) {
    return Effect.mapError(attempt, (cause) => {
      return new CommandFailed({ message: "The database did not respond", cause })
    })
  }
  let last: ClickStoreError | PortError | undefined
  const limit = Duration.format(within)
  return attempt.pipe(
    Effect.tapError((error) => {
      const isFirst = last === undefined
      last = error
      return isFirst ? Effect.logWarning(`${error.message}. Retrying for ${limit}`) : Effect.void
    }),
    Effect.retry(pauses),
    // `pauses` never ends, so the retry cannot fail.
    Effect.orDie,
    Effect.timeoutOrElse({
      duration: within,
      orElse: () =>
        Effect.fail(new CommandFailed({ message: `The database did not respond for ${limit}`, cause: last }))
    })
  )
}

const quarantine = (entries: ReadonlyArray<QuarantinedClick>, within: Duration.Duration) =>
  entries.length === 0
    ? Effect.void
    : retryUntilAvailable(
        Quarantine.use((quarantine) => quarantine.put(entries)),
        within
      )

/**
 * Stores rows in one insert. Originals go to the quarantine first: an original without its click is better than a click whose
 * loss is not recorded. Returns how many rows were new, and the rows that the store rejected, which are in the quarantine.
 */
const insert = Effect.fn("storeRows.insert")(function* (
  rows: ReadonlyArray<AcceptedRow>,
  within: Duration.Duration
) {
  yield* quarantine(rows.map((row) => row.quarantined).filter(Predicate.isNotNull), within)
  const inserted = yield* retryUntilAvailable(insertHalving(rows.map((row) => row.event)), within)
  const refusedIds = new Set(inserted.refused.map((event) => event.id))
  const refused = rows.filter((row) => refusedIds.has(row.event.id))
  yield* quarantine(
    refused.map(({ event, row }) => refusal(event, row.original)),
    within
  )
  return { added: inserted.added.size, refused }
})

const storeBatch = Effect.fnUntraced(function* (
  batch: ReadonlyArray<JudgedRow>,
  { dryRun, within }: StoreOptions
) {
  const accepted = batch.filter(Result.isSuccess).map(({ success }) => success)
  const rejected = batch.filter(Result.isFailure).map(({ failure }) => failure)
  const { added, refused } = dryRun
    ? { added: accepted.length, refused: [] }
    : yield* insert(accepted, within)
  const rejections = [
    ...rejected,
    ...refused.map(({ row }) => ({ row, reason: "was rejected by the database" }))
  ].toSorted((a, b) => a.row.line - b.row.line)
  const last = batch.at(-1)
  const outcome: ImportSummary = {
    counts: {
      read: batch.length,
      imported: added,
      duplicates: batch.length - rejections.length - added,
      rejected: rejections.length,
      quarantined: accepted.filter((row) => row.quarantined !== null).length
    },
    rejections,
    lastLine: last === undefined ? 0 : Result.merge(last).row.line,
    undated: accepted.filter((row) => row.isUndated).length
  }
  return outcome
})

// Batches are read while others are stored. More than three take more memory and save no processor time.
const concurrentBatches = 3

/**
 * Stores batches of validated rows in constant memory. Outcomes are in the order of the input. Fails when the database stays
 * unavailable; the batches whose outcomes were emitted are stored.
 */
export const storeRows = <E, R>(
  batches: Stream.Stream<ReadonlyArray<JudgedRow>, E, R>,
  options: StoreOptions
): Stream.Stream<ImportSummary, E | CommandFailed, R | ClickStore | Quarantine> =>
  Stream.mapEffect(batches, (batch) => storeBatch(batch, options), { concurrency: concurrentBatches })
