import { drain } from "@clicks/core/clicks/drainSpool"
import { Spool, type SpoolStatus } from "@clicks/core/clicks/Spool"
import * as SpoolSqlite from "@clicks/sql-adapter/clicks/SpoolSqlite"
import { Clock, Duration, Effect, Layer } from "effect"
import * as Database from "../Database.ts"
import { CommandFailed, exitCodes } from "../program/CommandError.ts"
import { countOf, grouped } from "../program/numbers.ts"
import * as Output from "../program/Output.ts"
import * as SpoolLayer from "./SpoolLayer.ts"

interface Format {
  readonly json?: boolean
}

// As many as the service drains at once.
const batchSize = 500

const empty = (max_bytes: number): SpoolStatus => ({
  depth: 0,
  bytes: 0,
  max_bytes,
  oldest: null,
  set_aside: 0,
  disk_full: false
})

/** What waits; nothing where there is no spool, which is not made for the look. */
const found = Effect.gen(function* () {
  const { directory, maxBytes } = yield* SpoolLayer.options
  const status = (yield* SpoolLayer.exists)
    ? yield* Spool.use((spool) => spool.status).pipe(Effect.provide(SpoolLayer.layer))
    : empty(maxBytes)
  return { directory, ...status }
})

const ageText = Effect.fnUntraced(function* (oldest: Date | null) {
  if (oldest === null) return ""
  const now = yield* Clock.currentTimeMillis
  const age = Duration.seconds(Math.max(0, Math.round((now - oldest.getTime()) / 1000)))
  return `, the first for ${Duration.format(age)}`
})

const setAsideText = (count: number): string =>
  count === 0 ? "" : `\n${countOf(count, "damaged file")} set aside; clicks spool check tells more`

const fullText = (isFull: boolean): string =>
  isFull ? "\nIts disk is full: clicks that the database does not take are dropped" : ""

/** `clicks spool status`. */
export const spoolStatus = Effect.fn("spoolStatus")(function* ({ json }: Format) {
  const status = yield* found
  if (json) yield* Output.json(status)
  else {
    const { bytes, depth, directory, disk_full, max_bytes, oldest, set_aside } = status
    yield* Output.line(
      `${countOf(depth, "click")} waiting${yield* ageText(oldest)}\n` +
        `${grouped(bytes)} of ${grouped(max_bytes)} bytes, in ${directory}${setAsideText(set_aside)}${fullText(disk_full)}`
    )
  }
  return exitCodes.done
})

/** `clicks spool drain`. */
export const drainSpool = Effect.fn("drainSpool")(function* ({ json }: Format) {
  const stored = (yield* SpoolLayer.exists)
    ? yield* drain(batchSize).pipe(Effect.provide(Layer.mergeAll(SpoolLayer.layer, Database.layer)))
    : 0
  if (json) yield* Output.json({ stored })
  else yield* Output.note(`${countOf(stored, "click")} stored`)
  return exitCodes.done
})

const lossText = ({ salvaged, suspected_lost }: SpoolSqlite.SalvageReport): string =>
  `${countOf(salvaged, "click")} brought back, ` +
  (suspected_lost === null ? "an unknown number lost" : `${grouped(suspected_lost)} suspected lost`)

/** `clicks spool check`. */
export const checkSpool = Effect.fn("checkSpool")(function* ({ json }: Format) {
  const { clicks, set_aside, unreadable } = (yield* SpoolLayer.exists)
    ? yield* Effect.scoped(Effect.flatMap(SpoolLayer.options, SpoolSqlite.check))
    : { clicks: 0, unreadable: 0, set_aside: [] }
  const isWell = set_aside.length === 0 && unreadable === 0
  if (json) yield* Output.json({ ok: isWell, clicks, unreadable, set_aside })
  else {
    const files = set_aside.map(
      ({ file, report }) => `\n${file}: ${report === null ? "not looked at yet" : lossText(report)}`
    )
    const beside =
      unreadable === 0
        ? ""
        : `\n${countOf(unreadable, "click")} that make no sense to this version, kept beside`
    yield* Output.line(
      `${countOf(clicks, "click")} waiting, each as it was written${beside}${files.join("")}`
    )
  }
  if (isWell) return exitCodes.done
  return yield* new CommandFailed({ message: "There is something in the spool for a person to look at" })
})
