import { Duration, Effect, Metric, Option, Schedule, Stream } from "effect"
import { answerWithin } from "../answerWithin.ts"
import { Outage } from "../Outage.ts"
import { utf8 } from "../WebCrypto.ts"
import type { ClickEvent } from "./ClickEvent.ts"
import { ClickStore, ClickStoreError } from "./ClickStore.ts"
import { type Inserted, insertHalving } from "./insertHalving.ts"
import { Quarantine, type QuarantineError } from "./Quarantine.ts"
import { Spool, type SpoolEntry, type SpoolError } from "./Spool.ts"

const drained = Metric.counter("clicks_spool_drained_total", {
  description: "Clicks that were stored from the spool",
  incremental: true
})

const originalsOf = (entries: ReadonlyArray<SpoolEntry>, { refused }: Inserted) => [
  ...entries.flatMap((entry) => entry.quarantined ?? []),
  ...refused.map((event) => ({
    click_id: event.id,
    received_at: event.received_at,
    reason: "refused by the store",
    original: utf8(JSON.stringify(event))
  }))
]

// A store that accepts and never answers must not hold the drain for ever; 500 clicks take some 20 ms. For each step, not for
// the batch: to find the bad click among 500 takes some 18 inserts, and a slow store would never get to the end of them.
const patience = Duration.seconds(5)

const inTime = <A, E, R>(step: Effect.Effect<A, E, R>) =>
  answerWithin(step, patience, () =>
    Effect.fail(
      new ClickStoreError({ operation: "drain", reason: "Unavailable", cause: "no answer in time" })
    )
  )

const impatient = Effect.map(ClickStore, (store) => ({
  ...store,
  insert: (batch: ReadonlyArray<ClickEvent>) => inTime(store.insert(batch))
}))

/** Is told how long the store took for a batch, as soon as it has. */
type OnStored = (elapsed: Duration.Duration) => Effect.Effect<void>

/** Stores the clicks, or quarantines them where the store refuses, and returns their positions in the spool. */
const store = Effect.fnUntraced(function* (entries: ReadonlyArray<SpoolEntry>, onStored: OnStored) {
  const [elapsed, inserted] = yield* insertHalving(entries.map((entry) => entry.event)).pipe(
    Effect.provideServiceEffect(ClickStore, impatient),
    Effect.timed
  )
  yield* onStored(elapsed)
  const originals = originalsOf(entries, inserted)
  if (originals.length > 0) yield* inTime(Quarantine.use((quarantine) => quarantine.put(originals)))
  return entries.map((entry) => entry.position)
})

const remove = Effect.fnUntraced(function* (positions: ReadonlyArray<number>) {
  yield* Spool.use((spool) => spool.remove(positions))
  yield* Metric.update(drained, positions.length)
  return positions.length
})

const waiting = (batchSize: number) =>
  Stream.paginate(0, (after) =>
    Effect.map(
      Spool.use((spool) => spool.peek(batchSize, after)),
      (entries) => [
        entries.length === 0 ? [] : [entries],
        Option.map(Option.fromUndefinedOr(entries.at(-1)), ({ position }) => position)
      ]
    )
  )

// With two the next batch is read and written while the database commits one.
const batchesUnderWay = 2

/**
 * Moves what waits into the store, oldest first, and tells of each batch how many clicks it was. A click leaves the spool only
 * when its commit (or, for one that the store refuses, its place in the quarantine) is confirmed; moved twice, it is stored
 * once. Fails at the first batch that cannot be moved.
 */
const moves = (batchSize: number, onStored: OnStored) =>
  waiting(batchSize).pipe(
    Stream.mapEffect((entries) => store(entries, onStored), { concurrency: batchesUnderWay }),
    Stream.mapEffect(remove)
  )

/** Moves everything and tells how many. Fails at the first batch that cannot be moved; what was moved stays moved. */
export const drain = (batchSize: number) =>
  Stream.runFold(
    moves(batchSize, () => Effect.void),
    () => 0,
    (total, moved) => total + moved
  )

// Half a second between attempts: an outage ends unnoticed for no longer, and costs two refused connections a second.
const pause = Duration.millis(500)

// With nothing to move, an empty batch asks whether the store would take one.
const probe = Effect.gen(function* () {
  const outage = yield* Outage
  if (!(yield* outage.isOn)) return
  const { insert } = yield* ClickStore
  const [elapsed] = yield* Effect.timed(inTime(insert([])))
  yield* outage.answered(elapsed)
})

// What is waiting is the probe: a batch that the store takes quickly ends the outage. A broken spool must not keep it on.
const moveOrProbe = (batchSize: number) =>
  Effect.flatMap(Outage, ({ answered }) => Stream.runDrain(moves(batchSize, answered))).pipe(
    Effect.tapError((error) => (error._tag === "SpoolError" ? probe : Effect.void)),
    Effect.andThen(probe)
  )

/** Drains for as long as it runs, and ends an outage when the store takes clicks again. */
export const drainForever = (batchSize: number) =>
  Effect.suspend(() => {
    let isTold = false
    // A store that is away is told of elsewhere. A spool that refuses would keep what waits for ever, and nobody would know.
    const tell = (error: ClickStoreError | QuarantineError | SpoolError) => {
      const isNew = error._tag === "SpoolError" && !isTold
      isTold = error._tag === "SpoolError"
      return isNew
        ? Effect.logError("The spool cannot be drained; it is tried again", error)
        : Effect.logDebug("The spool waits for the store", error)
    }
    const untold = Effect.sync(() => {
      isTold = false
    })
    return moveOrProbe(batchSize).pipe(
      Effect.andThen(untold),
      Effect.catch(tell),
      // Whatever is wrong with this batch or this program: clicks wait, and the next attempt may get through.
      Effect.catchDefect((defect) => Effect.logError("The drain of the spool failed; it goes on", defect)),
      Effect.andThen(Effect.sleep(pause)),
      Effect.repeat(Schedule.forever)
    )
  })
