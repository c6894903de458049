import { Quarantine, type QuarantinedClick } from "@clicks/core/clicks/recording/Quarantine"
import * as Uuid from "@clicks/core/values/Uuid"
import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"

const noon = Date.UTC(2026, 10, 20, 12)
let minutes = 0

/** An entry that is newer than all before it. */
const entry = (fields: Partial<QuarantinedClick> = {}): QuarantinedClick => ({
  click_id: Uuid.make(noon),
  received_at: new Date(noon + minutes++ * 60_000),
  reason: "store_id is not a text",
  original: new Uint8Array([123, 125]),
  ...fields
})

const put = (entries: ReadonlyArray<QuarantinedClick>) =>
  Quarantine.use((quarantine) => quarantine.put(entries))
const newest = (limit: number) => Quarantine.use((quarantine) => quarantine.list(limit))
const count = Quarantine.use((quarantine) => quarantine.count)

const plain = (entries: ReadonlyArray<QuarantinedClick>) =>
  entries.map((each) => ({ ...each, original: Array.from(each.original) }))

/** The contract of every `Quarantine`. The tests share one layer, whose quarantine is empty at first. */
export const suite = <E>(name: string, quarantine: Layer.Layer<Quarantine, E>): void =>
  layer(quarantine, { timeout: "60 seconds", excludeTestServices: true })(`Quarantine (${name})`, (it) => {
    it.effect("is empty at first and after putting nothing", () =>
      Effect.gen(function* () {
        yield* put([])
        assert.strictEqual(yield* count, 0)
        assert.deepStrictEqual(yield* newest(10), [])
      })
    )

    it.effect("keeps originals byte for byte", () =>
      Effect.gen(function* () {
        const entries = [
          entry({ original: new Uint8Array(0) }),
          entry({ original: Uint8Array.from({ length: 256 }, (_, byte) => byte) }),
          entry({
            original: new Uint8Array(70_000).fill(0xff),
            reason: 'it\'s "too" \\ long 😀 '.repeat(5000)
          })
        ]
        yield* put(entries)
        assert.deepStrictEqual(plain(yield* newest(3)), plain(entries.toReversed()))
      })
    )

    it.effect("keeps the first entry for a click and a reason", () =>
      Effect.gen(function* () {
        const before = yield* count
        const first = entry()
        const again = { ...first, received_at: new Date(noon - 1), original: new Uint8Array([1]) }
        const otherReason = {
          ...first,
          reason: "visitor_lat is not a number",
          received_at: new Date(noon + 9e9)
        }
        yield* put([first, again, otherReason])
        yield* put([again])
        assert.strictEqual(yield* count, before + 2)
        const kept = (yield* newest(before + 2)).filter((each) => each.click_id === first.click_id)
        assert.deepStrictEqual(plain(kept), plain([otherReason, first]))
      })
    )

    it.effect("lists the newest first, whatever the order of insertion", () =>
      Effect.gen(function* () {
        const entries = Array.from({ length: 30 }, () =>
          entry({ received_at: new Date(noon + 1e10 + minutes++) })
        )
        yield* put(entries.slice(10))
        yield* put(entries.slice(0, 10).reverse())
        assert.deepStrictEqual(plain(yield* newest(25)), plain(entries.toReversed().slice(0, 25)))
      })
    )

    it.effect("deletes only entries received before an instant", () =>
      Effect.gen(function* () {
        const instant = new Date(noon - 1e11)
        const old = [1, 2].map((ago) => entry({ received_at: new Date(instant.getTime() - ago) }))
        yield* put([...old, entry({ received_at: instant })])
        const before = yield* count
        const remove = Quarantine.use((quarantine) => Effect.orDie(quarantine.removeBefore(instant)))
        assert.strictEqual(yield* remove, 2)
        assert.strictEqual(yield* remove, 0)
        assert.strictEqual(yield* count, before - 2)
      })
    )

    it.effect("stores an entry once when several callers put it at once", () =>
      Effect.gen(function* () {
        const [before = 0] = yield* Effect.replicateEffect(count, 8, { concurrency: "unbounded" })
        const entries = Array.from({ length: 1000 }, () => entry())
        const batches = Array.from({ length: 8 }, (_, index) =>
          index % 2 === 0 ? entries : entries.toReversed()
        )
        yield* Effect.forEach(batches, put, { concurrency: "unbounded", discard: true })
        assert.strictEqual(yield* count, before + 1000)
      })
    )
  })
