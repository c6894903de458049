import { parseInstant } from "@clicks/core/clicks/Instant"
import { Quarantine, type QuarantinedClick } from "@clicks/core/clicks/Quarantine"
import { Effect } from "effect"
import * as Database from "../Database.ts"
import { exitCodes, UsedWrongly } from "../program/CommandError.ts"
import { countOf, grouped } from "../program/numbers.ts"
import * as Output from "../program/Output.ts"
import { type Column, table } from "../program/Table.ts"

export interface ListOptions {
  readonly limit?: string
  readonly json?: boolean
}

export interface ClearOptions {
  readonly before: string
  readonly json?: boolean
}

const columns: ReadonlyArray<Column<QuarantinedClick>> = [
  {
    title: "received_at",
    cell: ({ received_at }) => received_at.toISOString().replace("T", " ").replace(/\.\d+/, ""),
    isWhole: true
  },
  { title: "reason", cell: ({ reason }) => reason }
]

const limitOf = ({ limit = "100" }: ListOptions) =>
  /^\d{1,4}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= 1000
    ? Effect.succeed(Number(limit))
    : Effect.fail(new UsedWrongly({ message: "--limit must be a whole number, from 1 to 1000" }))

/** `clicks quarantine list`. In JSON `original` is what was sent, as text; bytes that are no UTF-8 become U+FFFD. */
export const listQuarantine = Effect.fn("listQuarantine")(function* (options: ListOptions) {
  const limit = yield* limitOf(options)
  const { entries, total } = yield* Quarantine.use((quarantine) =>
    Effect.all({ entries: quarantine.list(limit), total: quarantine.count })
  ).pipe(Effect.provide(Database.layer))
  if (options.json) {
    const decoder = new TextDecoder()
    const shown = entries.map((entry) => ({ ...entry, original: decoder.decode(entry.original) }))
    yield* Output.json({ entries: shown, total })
  } else {
    if (entries.length > 0) yield* Output.line(table(columns, entries, Output.width()))
    yield* Output.note(
      `${grouped(entries.length)} of ${total === 1 ? "1 entry" : `${grouped(total)} entries`}`
    )
  }
  return exitCodes.done
})

/** `clicks quarantine clear`. */
export const clearQuarantine = Effect.fn("clearQuarantine")(function* ({ before, json }: ClearOptions) {
  const instant = parseInstant(before)
  if (instant === undefined) {
    return yield* new UsedWrongly({
      message: "--before must be an ISO 8601 date or date-time, such as 2026-11-28T09:30:00Z"
    })
  }
  const removed = yield* Quarantine.use((quarantine) => quarantine.removeBefore(instant)).pipe(
    Effect.provide(Database.layer)
  )
  if (json) yield* Output.json({ removed })
  else yield* Output.note(`${countOf(removed, "original")} forgotten`)
  return exitCodes.done
})
