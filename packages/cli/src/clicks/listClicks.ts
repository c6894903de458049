import * as ClickQuery from "@clicks/core/clicks/ClickQuery"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import { Effect, Result } from "effect"
import { exitCodes, UsageError } from "../CommandError.ts"
import * as Database from "../Database.ts"
import { countOf, grouped } from "../terminal/format.ts"
import * as Output from "../terminal/Output.ts"
import { linesOf } from "./ClickLines.ts"
import { clickTable } from "./clickTable.ts"
import { type FilterOptions, toFilterParameters } from "./FilterOptions.ts"
import { timeZoneOf } from "./timeOptions.ts"

export interface ListOptions extends FilterOptions {
  readonly limit?: string
  readonly offset?: string
  readonly cursor?: string
  readonly format: "table" | "json" | "ndjson" | "csv"
  readonly json?: boolean
}

const queryOf = (options: ListOptions) => {
  const { cursor, limit, offset } = options
  return Effect.fromResult(
    Result.mapError(
      ClickQuery.parse({ ...toFilterParameters(options), limit, offset, cursor }),
      ({ message }) => new UsageError({ message: `--${message}` })
    )
  )
}

const showTable = Effect.fnUntraced(function* (
  { events, next_cursor, total }: ClickQuery.ClickPage,
  options: ListOptions
) {
  if (events.length > 0) yield* Output.line(clickTable(events, timeZoneOf(options), Output.width()))
  yield* Output.footer(`${grouped(events.length)} of ${countOf(total, "click")}`)
  if (next_cursor !== null) yield* Output.footer(`Next page:\n  --cursor ${next_cursor}`)
})

const show = (page: ClickQuery.ClickPage, options: ListOptions) => {
  const format = options.json === true ? "json" : options.format
  if (format === "table") return showTable(page, options)
  if (format === "json") return Output.json(page)
  const { header, line } = linesOf(format, Output.isTerminal())
  return Output.write(header + page.events.map(line).join(""))
}

/** `clicks list`: one page of the stored clicks. */
export const listClicks = Effect.fn("listClicks")(function* (options: ListOptions) {
  const query = yield* queryOf(options)
  const page = yield* ClickStore.use((store) => store.list(query)).pipe(Effect.provide(Database.layer))
  yield* show(page, options)
  return exitCodes.done
})
