import { type Duration, Effect, Metric, Schedule } from "effect"
import type { Outage } from "../../Outage.ts"
import { ClickStoreError } from "../ClickStore.ts"
import { ReceiptOutcome } from "./ClickReceipt.ts"
import type { AcceptedClick } from "./ClickSubmission.ts"
import { type Inserted, insertHalving } from "./insertHalving.ts"
import { Quarantine, type QuarantinedClick, refusal } from "./Quarantine.ts"
import type { Spool } from "./spool/Spool.ts"

/** Clicks by outcome, in the attribute `receipt` (see `ReceiptOutcome`). */
const recorded = Metric.counter("clicks_recorded_total", {
  description: "Accepted clicks by outcome",
  incremental: true
})

const counters = Object.fromEntries(
  ReceiptOutcome.literals.map((receipt) => [receipt, Metric.withAttributes(recorded, { receipt })])
) as { readonly [receipt in ReceiptOutcome]: typeof recorded }

/** Adds to the count of clicks by receipt. */
export const count = (outcome: ReceiptOutcome, clicks: number): Effect.Effect<void> =>
  Metric.update(counters[outcome], clicks)

/** Where a batch goes: how long the store may take, and the spool to use if it takes longer. */
export interface Destination {
  readonly within: Duration.Duration
  readonly spool: Spool["Service"] | undefined
  readonly outage: Outage["Service"]
}

type Batch = ReadonlyArray<AcceptedClick>
type Outcomes = ReadonlyArray<ReceiptOutcome>

const unavailable = (cause: unknown) =>
  new ClickStoreError({ operation: "insert", reason: "Unavailable", cause })

const retries = Schedule.exponential("20 millis").pipe(Schedule.jittered)

// Originals are stored first: if the original of a click cannot be kept, the click must not count as stored, because the spool can still
// keep both. Without a spool, storing the click matters more.
const keep = (entries: ReadonlyArray<QuarantinedClick>, spool: Destination["spool"]) =>
  Quarantine.use((quarantine) => quarantine.put(entries)).pipe(
    Effect.catch((error) =>
      spool !== undefined
        ? Effect.fail(unavailable(error))
        : Effect.logError(`Failed to quarantine originals: ${entries.length}`, error)
    )
  )

const write = (batch: Batch, { spool }: Destination) => {
  const lossy = batch.flatMap((click) => click.quarantined ?? [])
  const inserting = Effect.tap(insertHalving(batch.map((click) => click.event)), ({ refused }) =>
    refused.length === 0
      ? Effect.void
      : keep(
          batch.flatMap(({ event, original }) => (refused.includes(event) ? refusal(event, original()) : [])),
          spool
        )
  )
  return lossy.length === 0 ? inserting : Effect.andThen(keep(lossy, spool), inserting)
}

// A click without an idempotency key cannot have been stored before. If its id is not new, an earlier attempt was committed and only the
// response was lost.
const outcomesOf = (batch: Batch, { added, refused }: Inserted): Outcomes => {
  const seen = new Set<string>()
  return batch.map(({ event, keyed }) => {
    if (refused.includes(event)) return "dropped"
    const isNew = !keyed || (added.has(event.id) && !seen.has(event.id))
    seen.add(event.id)
    return isNew ? "stored" : "duplicate"
  })
}

const drop = (batch: Batch, reason: string, cause: unknown) =>
  Effect.logError(`Dropped clicks: ${batch.length}. ${reason}`, cause).pipe(
    Effect.as(batch.map((): ReceiptOutcome => "dropped"))
  )

const fallBack = (batch: Batch, { spool }: Destination, error: Error): Effect.Effect<Outcomes> =>
  spool === undefined
    ? drop(batch, error.message, error)
    : spool.append(batch).pipe(
        Effect.as(batch.map((): ReceiptOutcome => "spooled")),
        Effect.catch((failure) => drop(batch, `${error.message}; ${failure.message}`, failure))
      )

/**
 * Waits for the store. If the store does not accept the batch in time, or during an outage, the batch is spooled or, without a spool,
 * dropped.
 */
const attempt = (batch: Batch, destination: Destination): Effect.Effect<Outcomes, never, WriteServices> =>
  destination.outage
    .ask(
      Effect.retry(write(batch, destination), { schedule: retries, while: (error) => error.isRetryable }),
      destination.within
    )
    .pipe(
      Effect.map((inserted) => outcomesOf(batch, inserted)),
      Effect.catch((error) => Effect.andThen(destination.outage.began, fallBack(batch, destination, error)))
    )

type WriteServices = Effect.Services<ReturnType<typeof write>>

const counted = <R>(storing: Effect.Effect<Outcomes, never, R>): Effect.Effect<Outcomes, never, R> =>
  Effect.tap(storing, (outcomes) => {
    const [first] = outcomes
    return first !== undefined && outcomes.every((outcome) => outcome === first)
      ? count(first, outcomes.length)
      : Effect.forEach(outcomes, (outcome) => count(outcome, 1), { discard: true })
  })

/**
 * Stores a batch and returns the outcome of each click, in the batch's order. Never fails.
 *
 * A failed insert is retried until `within` has passed; then an outage begins. During an outage, a batch goes to the spool without a call
 * to the store; without a spool, it is dropped. A click that the store rejects goes to the quarantine alone; the others are stored.
 */
export const storeBatch = (batch: Batch, destination: Destination) => counted(attempt(batch, destination))

/** Appends a batch to the spool without trying the store. Never fails: clicks that the spool does not accept are dropped. */
export const spoolBatch = (batch: Batch, destination: Destination, reason: string): Effect.Effect<Outcomes> =>
  counted(fallBack(batch, destination, new Error(reason)))
