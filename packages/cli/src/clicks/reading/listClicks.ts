import * as ClickQuery from "@clicks/core/clicks/ClickQuery"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import * as ClickJson from "@clicks/http/clicks/ClickJson"
import { Effect } from "effect"
import { orUsageError, toParameters } from "../../CommandError.ts"
import * as Database from "../../Database.ts"
import { countOf, grouped } from "../../terminal/format.ts"
import * as Output from "../../terminal/Output.ts"
import { type TimeOptions, timeZoneOf } from "../timeOptions.ts"
import { linesOf } from "./ClickLines.ts"
import { clickTable } from "./clickTable.ts"

/** The options that core does not parse. */
interface ListOptions extends TimeOptions, Output.Format {
  readonly format: "table" | "json" | "ndjson" | "csv"
}

const showTable = Effect.fnUntraced(function* (
  { events, next_cursor, total }: ClickQuery.ClickPage,
  options: ListOptions
) {
  if (events.length > 0) yield* Output.line(clickTable(events, timeZoneOf(options), Output.width()))
  yield* Output.footer(`${grouped(events.length)} of ${countOf(total, "click")}`)
  if (next_cursor !== null) yield* Output.footer(`Next page:\n  --cursor ${next_cursor}`)
})

/** `clicks list`: one page of the stored clicks. */
export const listClicks = Effect.fn("listClicks")(function* (options: ListOptions) {
  const { format, json } = options
  const query = yield* orUsageError(ClickQuery.parse(toParameters(options)))
  const page = yield* ClickStore.use((store) => store.list(query)).pipe(Effect.provide(Database.layer))
  if (json || format === "json")
    return yield* Output.json({ ...page, events: page.events.map(ClickJson.encode) })
  if (format === "table") return yield* showTable(page, options)
  const { header, line } = linesOf(format, Output.isTerminal())
  yield* Output.write(header + page.events.map(line).join(""))
})
