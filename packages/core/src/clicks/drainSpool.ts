import { Duration, Effect, Metric, Schedule } from "effect"
import { utf8 } from "../WebCrypto.ts"
import type { ClickStore, ClickStoreError } from "./ClickStore.ts"
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

/**
 * Moves the head of the spool, at most `limit` clicks, into the store and tells how many. A click leaves the spool only
 * when its commit (or, for one that the store refuses, its place in the quarantine) is confirmed; moved twice, it is stored once.
 */
export const drainOnce: (
  limit: number
) => Effect.Effect<number, ClickStoreError | QuarantineError | SpoolError, ClickStore | Quarantine | Spool> =
  Effect.fnUntraced(function* (limit) {
    const spool = yield* Spool
    const entries = yield* spool.peek(limit)
    if (entries.length === 0) return 0
    const inserted = yield* insertHalving(entries.map((entry) => entry.event))
    const originals = originalsOf(entries, inserted)
    if (originals.length > 0) {
      const quarantine = yield* Quarantine
      yield* quarantine.put(originals)
    }
    yield* spool.remove(entries.map((entry) => entry.position))
    yield* Metric.update(drained, entries.length)
    return entries.length
  })

/** Moves everything. Fails at the first click that cannot be moved; what was moved stays moved. */
export const drain = (limit: number) =>
  Effect.gen(function* () {
    let total = 0
    while (true) {
      const moved = yield* drainOnce(limit)
      if (moved === 0) return total
      total += moved
    }
  })

// A store that accepts and never answers must not hold the drain for ever; a batch of 500 takes some 20 ms.
const patience = Duration.seconds(5)

// Half a second between attempts: an outage ends unnoticed for no longer, and costs two refused connections a second.
const pause = Duration.millis(500)

/** Drains for as long as it runs; `onProgress` is called whenever the store took something. */
export const drainForever = (limit: number, onProgress: Effect.Effect<void>) =>
  drainOnce(limit).pipe(
    Effect.timeout(patience),
    Effect.tap((moved) => (moved > 0 ? onProgress : Effect.void)),
    Effect.catch((error) => Effect.as(Effect.logDebug("The spool waits for the store", error), 0)),
    Effect.flatMap((moved) => (moved < limit ? Effect.sleep(pause) : Effect.void)),
    Effect.repeat(Schedule.forever)
  )
