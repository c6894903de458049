import { Effect, Layer } from "effect"
import { Spool, type SpoolEntry, SpoolError } from "./Spool.ts"

const make = (maxDepth: number) => {
  let entries: Array<SpoolEntry> = []
  let position = 0
  return Spool.of({
    append: (clicks) =>
      Effect.suspend(() => {
        if (entries.length + clicks.length > maxDepth) {
          return Effect.fail(
            new SpoolError({ operation: "append", reason: "Full", cause: `${maxDepth} clicks wait` })
          )
        }
        for (const click of clicks) entries.push({ ...click, position: ++position })
        return Effect.void
      }),
    peek: (limit, after = 0) =>
      Effect.sync(() => entries.filter((entry) => entry.position > after).slice(0, limit)),
    remove: (positions) =>
      Effect.sync(() => {
        const gone = new Set(positions)
        entries = entries.filter((entry) => !gone.has(entry.position))
      }),
    status: Effect.sync(() => ({
      depth: entries.length,
      bytes: 0,
      max_bytes: 0,
      oldest: entries[0]?.event.received_at ?? null,
      set_aside: 0,
      disk_full: false
    }))
  })
}

/** A spool in memory, for tests: what waits in it does not survive the process, so a service must not promise with it. */
export const layer = (maxDepth = Number.POSITIVE_INFINITY): Layer.Layer<Spool> =>
  Layer.sync(Spool, () => make(maxDepth))
