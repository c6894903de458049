import { Duration, Effect, Metric, Schedule } from "effect"
import type { ReceiptOutcome } from "./ClickReceipt.ts"
import { ClickStore, ClickStoreError } from "./ClickStore.ts"
import type { AcceptedClick } from "./ClickSubmission.ts"
import { Quarantine, type QuarantinedClick } from "./Quarantine.ts"

/** Clicks by what became of them; the attribute `receipt` tells which (see `ReceiptOutcome`). */
const recorded = Metric.counter("clicks_recorded_total", {
  description: "Accepted clicks by what became of them",
  incremental: true
})

type Outcomes = Effect.Effect<ReadonlyArray<ReceiptOutcome>, never, ClickStore | Quarantine>

const keepOriginals = Effect.fnUntraced(function* (entries: ReadonlyArray<QuarantinedClick>) {
  if (entries.length === 0) return
  const quarantine = yield* Quarantine
  yield* quarantine
    .put(entries)
    .pipe(
      Effect.catch((error) => Effect.logError(`${entries.length} originals could not be quarantined`, error))
    )
})

// A click without a key of its own cannot have been stored before: when its id is not new, the first attempt had
// committed and only its answer was lost.
const outcomesOf = (
  batch: ReadonlyArray<AcceptedClick>,
  added: ReadonlySet<string>
): ReadonlyArray<ReceiptOutcome> => {
  const seen = new Set<string>()
  return batch.map(({ event, keyed }) => {
    const isNew = !keyed || (added.has(event.id) && !seen.has(event.id))
    seen.add(event.id)
    return isNew ? "stored" : "duplicate"
  })
}

const dropAll = Effect.fnUntraced(function* (batch: ReadonlyArray<AcceptedClick>, error: ClickStoreError) {
  yield* Effect.logError(`${batch.length} clicks were dropped: ${error.message}`, error)
  return batch.map((): ReceiptOutcome => "dropped")
})

const setAside = Effect.fnUntraced(function* ({ event, original }: AcceptedClick, error: ClickStoreError) {
  yield* Effect.logError(`Click ${event.id} was refused by the store and is in the quarantine`, error)
  yield* keepOriginals([
    {
      click_id: event.id,
      received_at: event.received_at,
      reason: "refused by the store",
      original: original()
    }
  ])
  return ["dropped"] as ReadonlyArray<ReceiptOutcome>
})

const halve = Effect.fnUntraced(function* (batch: ReadonlyArray<AcceptedClick>, within: Duration.Duration) {
  const middle = batch.length >> 1
  const first = yield* insert(batch.slice(0, middle), within)
  const second = yield* insert(batch.slice(middle), within)
  return [...first, ...second]
})

const retries = Schedule.exponential("20 millis").pipe(Schedule.jittered)

const insert = (batch: ReadonlyArray<AcceptedClick>, within: Duration.Duration): Outcomes =>
  Effect.gen(function* () {
    const store = yield* ClickStore
    const added = yield* store.insert(batch.map((click) => click.event)).pipe(
      Effect.retry({ schedule: retries, while: (error) => error.isRetryable }),
      Effect.timeoutOrElse({
        duration: within,
        orElse: () =>
          new ClickStoreError({
            operation: "insert",
            reason: "Unavailable",
            cause: `no answer within ${Duration.format(within)}`
          })
      })
    )
    return outcomesOf(batch, added)
  }).pipe(
    Effect.catch((error): Outcomes => {
      if (error.isRetryable) return dropAll(batch, error)
      const [only] = batch
      return batch.length === 1 && only !== undefined ? setAside(only, error) : halve(batch, within)
    })
  )

/**
 * Stores a batch in one go and tells what became of each click, in the batch's order. Never fails.
 *
 * A store that is away is tried again until `within` has passed. A batch that the store refuses is halved until the click
 * at fault is alone; that one goes to the quarantine and its neighbours are stored.
 */
export const storeBatch = Effect.fnUntraced(function* (
  batch: ReadonlyArray<AcceptedClick>,
  within: Duration.Duration
) {
  yield* keepOriginals(batch.flatMap((click) => click.quarantined ?? []))
  const outcomes = yield* insert(batch, within)
  for (const outcome of new Set(outcomes)) {
    const count = outcomes.filter((other) => other === outcome).length
    yield* Metric.update(Metric.withAttributes(recorded, { receipt: outcome }), count)
  }
  return outcomes
})
