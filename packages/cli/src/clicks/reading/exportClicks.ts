import { extname } from "node:path"
import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import * as ClickQuery from "@clicks/core/clicks/ClickQuery"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import { Effect, Result, Stream } from "effect"
import { orUsageError, toParameters, UsageError } from "../../CommandError.ts"
import * as Database from "../../Database.ts"
import { refuseOccupied, writeWholeFile } from "../../files/writeWholeFile.ts"
import { countOf } from "../../terminal/format.ts"
import * as Output from "../../terminal/Output.ts"
import { counter } from "../../terminal/Progress.ts"
import { type LineFormat, linesOf } from "./ClickLines.ts"

export interface ExportOptions extends Output.Format {
  readonly format?: LineFormat
  readonly out?: string
  readonly force: boolean
}

// Clicks per write: some 200 kB.
const piece = 256

const extensions: Readonly<Record<string, LineFormat>> = {
  ".csv": "csv",
  ".json": "ndjson",
  ".jsonl": "ndjson",
  ".ndjson": "ndjson"
}

const formatOf = ({ format, out = "" }: ExportOptions): Result.Result<LineFormat, UsageError> => {
  const extension = extname(out.replace(/\.gz$/i, "")).toLowerCase()
  const byName = extensions[extension]
  const refuse = (message: string) => Result.fail(new UsageError({ message }))
  if (format !== undefined && byName !== undefined && format !== byName)
    return refuse(`--format ${format} does not match the extension of --out ${out}. Change one of them`)
  // NDJSON is not JSON, so a .json file requires --format ndjson.
  const isUnclear = extension !== "" && (byName === undefined || extension === ".json")
  return format === undefined && isUnclear
    ? refuse(`Unsupported extension ${extension}. Use --format csv or --format ndjson`)
    : Result.succeed(format ?? byName ?? "ndjson")
}

const exportAll = Effect.fnUntraced(function* (
  filter: ClickFilter,
  format: LineFormat,
  { json, out }: ExportOptions
) {
  const clicks = (yield* ClickStore).stream(filter)
  const { header, line } = linesOf(format, out === undefined && Output.isTerminal())
  let exported = 0
  const lines = Stream.mapArray(Stream.rechunk(clicks, piece), (events) => {
    exported += events.length
    return [events.map(line).join("")]
  })
  const texts = header === "" ? lines : Stream.prepend(lines, [header])
  if (out === undefined) return yield* Stream.runForEach(texts, Output.write)
  const write = Effect.fnUntraced(function* () {
    const { update } = yield* counter("clicks")
    yield* writeWholeFile(
      out,
      Stream.tap(texts, () => Effect.sync(() => update(exported)))
    )
  }, Effect.scoped)
  yield* write()
  if (json) yield* Output.json({ exported, out })
  yield* Output.note(`${countOf(exported, "click")} in ${out}`)
}, Effect.provide(Database.layer))

/** `clicks export`: all matching clicks, in constant memory. */
export const exportClicks = Effect.fn("exportClicks")(function* (options: ExportOptions) {
  const filter = yield* orUsageError(ClickQuery.parseFilter(toParameters(options)))
  const format = yield* Effect.fromResult(formatOf(options))
  if (options.out !== undefined) yield* refuseOccupied(options.out, options.force)
  yield* exportAll(filter, format, options)
})
