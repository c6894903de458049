import { Effect, Layer } from "effect"
import { Quarantine, type QuarantinedClick } from "./Quarantine.ts"

const make = () => {
  const entries = new Map<string, QuarantinedClick>()
  return Quarantine.of({
    put: (batch) =>
      Effect.sync(() => {
        for (const entry of batch) {
          const key = `${entry.click_id} ${entry.reason}`
          if (!entries.has(key)) entries.set(key, entry)
        }
      }),
    list: (limit) =>
      Effect.sync(() =>
        Array.from(entries.values())
          .sort((a, b) => b.received_at.getTime() - a.received_at.getTime())
          .slice(0, limit)
      ),
    reasonsOf: (id) =>
      Effect.sync(() =>
        Array.from(entries.values()).flatMap(({ click_id, reason }) => (click_id === id ? reason : []))
      ),
    count: Effect.sync(() => entries.size),
    removeBefore: (instant) =>
      Effect.sync(() => {
        const old = Array.from(entries).filter(([, { received_at }]) => received_at < instant)
        for (const [key] of old) entries.delete(key)
        return old.length
      })
  })
}

/** Keeps originals in this process's memory. */
export const layer: Layer.Layer<Quarantine> = Layer.sync(Quarantine, make)
