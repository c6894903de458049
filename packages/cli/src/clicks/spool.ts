import { drain } from "@clicks/core/clicks/recording/drainSpool"
import { Spool } from "@clicks/core/clicks/recording/Spool"
import * as SpoolLog from "@clicks/sql-adapter/clicks/SpoolLog"
import { Clock, Duration, Effect, Layer } from "effect"
import { CommandFailed } from "../CommandError.ts"
import * as Database from "../Database.ts"
import { countOf, grouped } from "../terminal/format.ts"
import * as Output from "../terminal/Output.ts"
import * as SpoolLayer from "./SpoolLayer.ts"

// The same batch size as in the service.
const batchSize = 500

const status = Effect.provide(
  Spool.use((spool) => spool.status),
  SpoolLayer.layer
)

const ageText = Effect.fnUntraced(function* (oldest: Date | null) {
  if (oldest === null) return ""
  const now = yield* Clock.currentTimeMillis
  const age = Duration.seconds(Math.max(0, Math.round((now - oldest.getTime()) / 1000)))
  return `, the oldest for ${Duration.format(age)}`
})

/** `clicks spool status`. */
export const spoolStatus = Effect.fn("spoolStatus")(function* ({ json }: Output.Format) {
  const { directory } = yield* SpoolLayer.options
  const found = yield* status
  if (json) return yield* Output.json({ directory, ...found })
  const { bytes, depth, disk_full, max_bytes, oldest, set_aside } = found
  yield* Output.line(`${countOf(depth, "click")} waiting${yield* ageText(oldest)}`)
  yield* Output.line(`${grouped(bytes)} of ${grouped(max_bytes)} bytes, in ${directory}`)
  if (set_aside > 0)
    yield* Output.line(`${countOf(set_aside, "damaged file")} set aside; see clicks spool check`)
  if (disk_full) yield* Output.line("The disk is full: clicks are dropped while the database is unavailable")
})

const leftText = (left: number): string =>
  left === 0 ? "" : `; ${countOf(left, "click")} left for the running service that spooled them`

/** `clicks spool drain`. */
export const drainSpool = Effect.fn("drainSpool")(function* (format: Output.Format) {
  const stored = (yield* SpoolLayer.exists)
    ? yield* drain(batchSize).pipe(Effect.provide(Layer.mergeAll(SpoolLayer.layer, Database.layer)))
    : 0
  const { depth: left } = yield* status
  yield* Output.change(format, { stored, left }, `${countOf(stored, "click")} stored${leftText(left)}`)
})

const damageText = ({
  damaged_bytes,
  file,
  lost,
  readable
}: SpoolLog.SpoolCheck["damaged"][number]): string =>
  `\n${file}: ${countOf(readable, "click")} readable, ${countOf(damaged_bytes, "byte")} damaged, ` +
  `${lost === null ? "an unknown number of clicks" : countOf(lost, "click")} lost`

/** `clicks spool check`. */
export const checkSpool = Effect.fn("checkSpool")(function* ({ json }: Output.Format) {
  const { clicks, damaged } = yield* Effect.flatMap(SpoolLayer.options, SpoolLog.check)
  const isOk = damaged.length === 0
  if (json) yield* Output.json({ ok: isOk, clicks, damaged })
  else
    yield* Output.line(`${countOf(clicks, "click")} waiting and readable${damaged.map(damageText).join("")}`)
  if (!isOk)
    return yield* new CommandFailed({ message: "The spool has damaged files. See clicks spool --help" })
})
