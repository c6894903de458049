import { Clock, Effect, Layer, Metric } from "effect"
import { Spool, type SpoolStatus } from "./Spool.ts"

const gauge = (name: string, description: string) => Metric.gauge(`clicks_spool_${name}`, { description })

const usable = gauge("usable", "1 if the spool is usable, else 0")
const depth = gauge("depth", "Clicks waiting for the database")
const bytes = gauge("bytes", "Bytes the spool uses on disk")
const maxBytes = gauge("max_bytes", "Bytes the spool may use")
const oldestAge = gauge(
  "oldest_age_seconds",
  "Seconds since the oldest waiting clicks were spooled; 0 if none are waiting"
)
const setAside = gauge("set_aside_files", "Damaged spool files that were set aside for inspection")

const show = Effect.fnUntraced(function* (status: SpoolStatus) {
  const now = yield* Clock.currentTimeMillis
  const age = status.oldest === null ? 0 : Math.max(0, now - status.oldest.getTime()) / 1000
  yield* Metric.update(usable, status.disk_full ? 0 : 1)
  yield* Metric.update(depth, status.depth)
  yield* Metric.update(bytes, status.bytes)
  yield* Metric.update(maxBytes, status.max_bytes)
  yield* Metric.update(oldestAge, age)
  yield* Metric.update(setAside, status.set_aside)
})

/** Updates the gauges of the spool every two seconds. */
export const layer: Layer.Layer<never, never, Spool> = Layer.effectDiscard(
  Effect.gen(function* () {
    const spool = yield* Spool
    const look = spool.status.pipe(
      Effect.flatMap(show),
      Effect.catch(() => Metric.update(usable, 0))
    )
    yield* look.pipe(Effect.andThen(Effect.sleep("2 seconds")), Effect.forever, Effect.forkScoped)
  })
)
