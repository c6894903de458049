import { extname } from "node:path"
import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import * as ClickQuery from "@clicks/core/clicks/ClickQuery"
import { ClickStore, type ClickStoreError } from "@clicks/core/clicks/ClickStore"
import { Effect, Result, Stream } from "effect"
import { orUsageError, toParameters, UsageError } from "../CommandError.ts"
import * as Database from "../Database.ts"
import { refuseOccupied, writeWholeFile } from "../files/writeWholeFile.ts"
import { countOf } from "../terminal/format.ts"
import * as Output from "../terminal/Output.ts"
import { counter } from "../terminal/Progress.ts"
import { type ClickLines, type LineFormat, linesOf } from "./ClickLines.ts"

export interface ExportOptions extends Output.Format {
  readonly format?: LineFormat
  readonly out?: string
  readonly force: boolean
}

// Clicks written at once: some 200 kB.
const piece = 256

const extensions = { "": "ndjson", ".ndjson": "ndjson", ".jsonl": "ndjson", ".json": "ndjson", ".csv": "csv" }

const formatOf = ({ format, out = "" }: ExportOptions): Result.Result<LineFormat, UsageError> => {
  const extension = extname(out.replace(/\.gz$/i, "")).toLowerCase()
  const byName = (extensions as Readonly<Record<string, LineFormat>>)[extension]
  const refuse = (message: string) => Result.fail(new UsageError({ message }))
  if (format === undefined && byName === undefined)
    return refuse(`Unsupported extension ${extension}. Use --format csv or --format ndjson`)
  return out !== "" && format !== undefined && byName !== undefined && format !== byName
    ? refuse(`--format ${format} does not match the extension of --out ${out}. Change one of them`)
    : Result.succeed(format ?? byName ?? "ndjson")
}

/** The pieces of the file. `onClicks` is called with the number of clicks in each. */
const texts = <E, R>(
  clicks: Stream.Stream<ClickEvent, E, R>,
  { header, line }: ClickLines,
  onClicks: (count: number) => void
): Stream.Stream<string, E, R> =>
  clicks.pipe(
    Stream.rechunk(piece),
    Stream.mapArray((events) => {
      onClicks(events.length)
      return [events.map(line).join("")] as const
    }),
    (lines) => (header === "" ? lines : Stream.prepend(lines, [header]))
  )

const toFile = Effect.fnUntraced(function* (
  clicks: Stream.Stream<ClickEvent, ClickStoreError>,
  format: LineFormat,
  path: string
) {
  const progress = yield* counter("clicks")
  let written = 0
  const output = texts(clicks, linesOf(format, false), (count) => {
    written += count
    progress.update(written)
  })
  yield* writeWholeFile(path, output)
  return written
}, Effect.scoped)

const exportAll = Effect.fnUntraced(function* (
  filter: ClickFilter,
  format: LineFormat,
  { json, out }: ExportOptions
) {
  const clicks = (yield* ClickStore).stream(filter)
  if (out === undefined) {
    const output = texts(clicks, linesOf(format, Output.isTerminal()), () => {})
    return yield* Stream.runForEach(output, Output.write)
  }
  const exported = yield* toFile(clicks, format, out)
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
