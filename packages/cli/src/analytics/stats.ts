import { Duration, Effect } from "effect"
import { UsageError } from "../CommandError.ts"
import * as Database from "../Database.ts"
import * as Output from "../terminal/Output.ts"
import { painted } from "./charts.ts"
import { csvText } from "./csvText.ts"
import { type Report, reportOf, type StatsOptions } from "./reports.ts"

interface Options extends StatsOptions {
  readonly watch?: number
}

const clearScreen = "\x1b[H\x1b[2J"

const show = Effect.fnUntraced(function* (report: Report, { format, json }: Options) {
  if (json || format === "json") return yield* Output.json(report.answer)
  if (format === "csv") return yield* Output.write(csvText(report.records, Output.isTerminal()))
  const text = report.table(Output.width())
  if (text !== "") yield* Output.line(painted(text))
  for (const note of report.notes) yield* Output.footer(note)
})

/** `clicks stats`: counts of clicks and visitors, as tables with bars. Repeats with `--watch`. */
export const stats = Effect.fn("stats")(function* (options: Options) {
  const { watch } = options
  if (watch !== undefined && !(watch >= 0.5 && watch <= 86_400))
    return yield* new UsageError({ message: "--watch must be a number of seconds, from 0.5 to 86400" })
  const report = yield* reportOf(options)
  const once = Effect.flatMap(report, (found) =>
    Effect.andThen(
      watch !== undefined && Output.isTerminal() ? Output.write(clearScreen) : Effect.void,
      show(found, options)
    )
  )
  const all =
    watch === undefined ? once : Effect.forever(Effect.andThen(once, Effect.sleep(Duration.seconds(watch))))
  yield* Effect.provide(all, Database.layer)
})
