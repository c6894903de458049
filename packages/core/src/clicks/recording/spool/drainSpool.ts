import { Duration, Effect, Metric, Schedule, Stream } from "effect"
import { answerWithin } from "../../../answerWithin.ts"
import { Outage } from "../../../Outage.ts"
import type { PortError } from "../../../values/PortError.ts"
import { utf8 } from "../../../values/WebCrypto.ts"
import type { ClickEvent } from "../../ClickEvent.ts"
import { ClickStore, ClickStoreError } from "../../ClickStore.ts"
import { type Inserted, insertHalving } from "../insertHalving.ts"
import { Quarantine, refusal } from "../Quarantine.ts"
import { Spool, type SpoolBatch, type SpoolError, type SpooledClick } from "./Spool.ts"

const drained = Metric.counter("clicks_spool_drained_total", {
  description: "Clicks moved from the spool to the store; those of an interrupted segment are counted again",
  incremental: true
})

const originalsOf = (clicks: ReadonlyArray<SpooledClick>, { refused }: Inserted) => [
  ...clicks.flatMap((click) => click.quarantined ?? []),
  ...refused.map((event) => refusal(event, utf8(JSON.stringify(event))))
]

// A store that accepts a batch and never responds must not block the drain forever; 500 clicks usually take 20 ms. The limit applies to
// each step and not to the batch: finding one bad click among 500 takes about 18 inserts, and a slow store would never complete them.
const patience = Duration.seconds(5)

const inTime = <A, E, R>(step: Effect.Effect<A, E, R>) =>
  answerWithin(step, patience, () =>
    Effect.fail(
      new ClickStoreError({ operation: "drain", reason: "Unavailable", cause: "no response in time" })
    )
  )

const impatient = Effect.map(ClickStore, (store) => ({
  ...store,
  insert: (batch: ReadonlyArray<ClickEvent>) => inTime(store.insert(batch))
}))

/** Called as soon as a batch is stored, with the time that the store took. */
type OnStored = (elapsed: Duration.Duration) => Effect.Effect<void>

/** Stores the clicks of the batch; those that the store rejects go to the quarantine. */
const store = Effect.fnUntraced(function* (batch: SpoolBatch, onStored: OnStored) {
  const [elapsed, inserted] = yield* insertHalving(batch.clicks.map((click) => click.event)).pipe(
    Effect.provideServiceEffect(ClickStore, impatient),
    Effect.timed
  )
  yield* onStored(elapsed)
  const originals = originalsOf(batch.clicks, inserted)
  if (originals.length > 0) yield* inTime(Quarantine.use((quarantine) => quarantine.put(originals)))
  return batch
})

/** Discards the segment with its last batch. Batches come in order, so the earlier ones are stored too. */
const discard = Effect.fnUntraced(function* ({ clicks, isLast, segment }: SpoolBatch) {
  yield* Metric.update(drained, clicks.length)
  if (isLast) yield* Spool.use((spool) => spool.discard(segment))
  return clicks.length
})

// With two, the next batch is read and encoded while the database commits one.
const batchesInProgress = 2

/**
 * Moves the waiting clicks to the store, oldest first, and emits the size of each batch. A segment leaves the spool only when all its
 * clicks are committed or, if the store rejects them, in the quarantine. A click that is moved twice is stored once. Fails at the first
 * batch that cannot be moved.
 */
const moves = (batchSize: number, onStored: OnStored) =>
  Stream.unwrap(Spool.use((spool) => Effect.succeed(spool.waiting(batchSize)))).pipe(
    Stream.mapEffect((batch) => store(batch, onStored), { concurrency: batchesInProgress }),
    Stream.mapEffect(discard)
  )

/** Moves everything and returns the number of clicks. Fails at the first batch that cannot be moved; earlier batches stay moved. */
export const drain = (batchSize: number) =>
  Stream.runFold(
    moves(batchSize, () => Effect.void),
    () => 0,
    (total, moved) => total + moved
  )

// Half a second between attempts: the end of an outage is noticed within that time, and two rejected connections a second cost little.
const pause = Duration.millis(500)

// If there is nothing to move, an empty batch probes the store.
const probe = Effect.gen(function* () {
  const outage = yield* Outage
  if (!(yield* outage.isOn)) return
  const { insert } = yield* ClickStore
  const [elapsed] = yield* Effect.timed(inTime(insert([])))
  yield* outage.answered(elapsed)
})

type DrainError = ClickStoreError | PortError | SpoolError

// These errors do not show whether the store is available. Neither a broken spool nor clicks that wait for the archive may prolong an
// outage.
const needsProbe = (error: DrainError): boolean =>
  error._tag === "SpoolError" || (error._tag === "ClickStoreError" && error.reason === "HistoryUnavailable")

// A waiting batch serves as the probe: if the store accepts it quickly, the outage ends.
const moveOrProbe = (batchSize: number) =>
  Effect.flatMap(Outage, ({ answered }) => Stream.runDrain(moves(batchSize, answered))).pipe(
    Effect.tapError((error) => (needsProbe(error) ? probe : Effect.void)),
    Effect.andThen(probe)
  )

/** Drains the spool forever, and ends an outage when the store accepts clicks again. */
export const drainForever = (batchSize: number) =>
  Effect.suspend(() => {
    let isLogged = false
    // An unavailable store is logged elsewhere. Without this line, a spool that cannot be drained would go unnoticed.
    const log = (error: DrainError) => {
      const isNew = error._tag === "SpoolError" && !isLogged
      isLogged = error._tag === "SpoolError"
      return isNew
        ? Effect.logError("Draining the spool failed; retrying", error)
        : Effect.logDebug("The spool is waiting for the store", error)
    }
    const resetLog = Effect.sync(() => {
      isLogged = false
    })
    return moveOrProbe(batchSize).pipe(
      Effect.andThen(resetLog),
      Effect.catch(log),
      // Whatever caused the defect, the clicks stay in the spool and the next attempt may succeed.
      Effect.catchDefect((defect) =>
        Effect.logError("Draining the spool failed unexpectedly; retrying", defect)
      ),
      Effect.andThen(Effect.sleep(pause)),
      Effect.repeat(Schedule.forever)
    )
  })
