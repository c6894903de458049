import type { ClickStore, ClickStoreError } from "@clicks/core/clicks/ClickStore"
import { insertHalving } from "@clicks/core/clicks/recording/insertHalving"
import { Quarantine, type QuarantinedClick } from "@clicks/core/clicks/recording/Quarantine"
import type { PortError } from "@clicks/core/values/PortError"
import { Duration, Effect, Predicate, Schedule } from "effect"
import { CommandFailed } from "../../CommandError.ts"
import type { AcceptedRow } from "./acceptRow.ts"

/** What became of the accepted rows of a batch. */
export interface StoredRows {
  /** Rows that were new. */
  readonly added: number
  /** Rows that the store will never take. They are in the quarantine. */
  readonly refused: ReadonlyArray<AcceptedRow>
}

const pauses = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("2 seconds")])

/** Tries until the database answers, for `within`; says so the first time that it does not. */
const untilItAnswers = <A, R>(
  attempt: Effect.Effect<A, ClickStoreError | PortError, R>,
  within: Duration.Duration
): Effect.Effect<A, CommandFailed, R> => {
  let last: ClickStoreError | PortError | undefined
  const given = Duration.format(within)
  return attempt.pipe(
    Effect.tapError((error) => {
      const isFirst = last === undefined
      last = error
      return isFirst ? Effect.logWarning(`${error.message}. Trying again for ${given}`) : Effect.void
    }),
    Effect.retry(pauses),
    Effect.timeoutOrElse({
      duration: within,
      orElse: () => {
        const message = `The database did not respond for ${given}`
        return Effect.fail(new CommandFailed({ message, ...(last && { cause: last }) }))
      }
    }),
    Effect.mapError((cause) =>
      cause._tag === "CommandFailed" ? cause : new CommandFailed({ message: cause.message, cause })
    )
  )
}

const keepOriginals = Effect.fnUntraced(function* (
  originals: ReadonlyArray<QuarantinedClick>,
  within: Duration.Duration
) {
  if (originals.length === 0) return
  const quarantine = yield* Quarantine
  yield* untilItAnswers(quarantine.put(originals), within)
})

/**
 * Stores rows in one go. Fails when the database does not respond within the time; doing it again is safe. Originals go to
 * the quarantine first: better one whose click is not stored than a click whose loss nobody knows of.
 */
export const storeRows: (
  rows: ReadonlyArray<AcceptedRow>,
  within: Duration.Duration
) => Effect.Effect<StoredRows, CommandFailed, ClickStore | Quarantine> = Effect.fn("storeRows")(
  function* (rows, within) {
    yield* keepOriginals(rows.map((row) => row.quarantined).filter(Predicate.isNotNull), within)
    const inserted = yield* untilItAnswers(insertHalving(rows.map((row) => row.event)), within)
    const refusedIds = new Set(inserted.refused.map((event) => event.id))
    const refused = rows.filter((row) => refusedIds.has(row.event.id))
    const toQuarantined = ({ event, row }: AcceptedRow): QuarantinedClick => ({
      click_id: event.id,
      received_at: event.received_at,
      reason: "refused by the store",
      original: row.original
    })
    yield* keepOriginals(refused.map(toQuarantined), within)
    return { added: inserted.added.size, refused }
  }
)
