import {
  Quarantine,
  type QuarantinedClick,
  quarantineParameters
} from "@clicks/core/clicks/recording/Quarantine"
import { read } from "@clicks/core/values/QueryParameters"
import { Effect } from "effect"
import { orUsageError, toParameters, UsageError } from "../CommandError.ts"
import * as Database from "../Database.ts"
import { countOf, grouped, toSecond } from "../terminal/format.ts"
import * as Output from "../terminal/Output.ts"
import { visibleText } from "../terminal/visibleText.ts"
import { wrapText } from "../terminal/wrapText.ts"
import { readTimeOptions } from "./timeOptions.ts"

const reasonColumn = 22

/** The entries under their titles. A reason that is too long for the terminal continues on the next line. */
const entryTable = (entries: ReadonlyArray<QuarantinedClick>, width: number): string =>
  [
    `${"received_at".padEnd(reasonColumn)}reason`,
    ...entries.map(({ reason, received_at }) =>
      wrapText(visibleText(reason), reasonColumn, toSecond(received_at), width)
    )
  ].join("\n")

/** `clicks quarantine list`. In JSON, bytes of `original` that are not UTF-8 become U+FFFD. */
export const listQuarantine = Effect.fn("listQuarantine")(function* (options: Output.Format) {
  const { limit } = yield* orUsageError(read(toParameters(options), quarantineParameters))
  const { entries, total } = yield* Quarantine.use((quarantine) =>
    Effect.all({ entries: quarantine.list(limit), total: quarantine.count })
  ).pipe(Effect.provide(Database.layer))
  if (options.json) {
    const decoder = new TextDecoder()
    const shown = entries.map((entry) => ({ ...entry, original: decoder.decode(entry.original) }))
    return yield* Output.json({ entries: shown, total })
  }
  if (entries.length > 0) yield* Output.line(entryTable(entries, Output.width()))
  yield* Output.footer(
    `${grouped(entries.length)} of ${total === 1 ? "1 entry" : `${grouped(total)} entries`}`
  )
})

/** `clicks quarantine clear`. */
export const clearQuarantine = Effect.fn("clearQuarantine")(function* (
  options: Output.Format & { readonly before: string; readonly tz?: string }
) {
  const { bounds, error } = readTimeOptions(options, new Date())
  if (bounds.before === undefined) return yield* new UsageError({ message: error ?? "--before is empty" })
  const { before } = bounds
  const removed = yield* Quarantine.use((quarantine) => quarantine.removeBefore(before)).pipe(
    Effect.provide(Database.layer)
  )
  yield* Output.change(options, { removed }, `Deleted ${countOf(removed, "original")}`)
})
