import { answerWithin } from "@clicks/core/answerWithin"
import { ClickStoreError } from "@clicks/core/clicks/ClickStore"
import { ClickArchive } from "@clicks/core/clicks/tiers/ClickArchive"
import { archiveStatus } from "@clicks/sql-adapter/clicks/archive/ArchiveStatus"
import { Effect, Layer, Metric } from "effect"
import type { SqlClient } from "effect/sql"

const timeout = "1 second"

const late = () =>
  Effect.fail(new ClickStoreError({ operation: "ping", reason: "HistoryUnavailable", cause: undefined }))

const isUsable = Effect.gen(function* () {
  const { ping } = yield* ClickArchive
  return yield* answerWithin(ping, timeout, late).pipe(
    Effect.as(true),
    Effect.catch(() => Effect.succeed(false))
  )
})

const look = Effect.gen(function* () {
  const [usable, status] = yield* Effect.all([isUsable, archiveStatus], { concurrency: 2 })
  return { usable, lag_clicks: status?.waiting ?? 0, lag_seconds: Math.round(status?.lagSeconds ?? 0) }
})

/** A check of the archive for `/readyz`. It never fails: clicks are recorded without the archive. */
export const check = Effect.gen(function* () {
  const context = yield* Effect.context<ClickArchive | SqlClient.SqlClient>()
  return look.pipe(
    Effect.map((found) => (found.usable ? found : { ...found, reason: "ClickHouse does not respond" })),
    Effect.catch(() => Effect.succeed({ usable: false, reason: "the database does not respond" })),
    Effect.provideContext(context)
  )
})

const gauge = (name: string, description: string) => Metric.gauge(`clicks_archive_${name}`, { description })

const usable = gauge("usable", "1 if the archive of older clicks is usable, else 0")
const lagClicks = gauge("lag_clicks", "Clicks waiting to be moved to the archive, counted up to a million")
const lagSeconds = gauge(
  "lag_seconds",
  "Age of the oldest click waiting to be moved, in seconds; 0 if none is"
)

/** Updates the gauges of the archive every ten seconds. */
export const metrics: Layer.Layer<never, never, ClickArchive | SqlClient.SqlClient> = Layer.effectDiscard(
  look.pipe(
    Effect.tap((found) => Metric.update(usable, found.usable ? 1 : 0)),
    Effect.tap((found) => Metric.update(lagClicks, found.lag_clicks)),
    Effect.tap((found) => Metric.update(lagSeconds, found.lag_seconds)),
    Effect.catch(() => Effect.void),
    Effect.andThen(Effect.sleep("10 seconds")),
    Effect.forever,
    Effect.forkScoped
  )
)
