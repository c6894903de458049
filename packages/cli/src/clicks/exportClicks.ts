import { extname } from "node:path"
import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import * as ClickQuery from "@clicks/core/clicks/ClickQuery"
import { ClickStore, type ClickStoreError } from "@clicks/core/clicks/ClickStore"
import { Effect, Result, Stream } from "effect"
import { exitCodes, UsageError } from "../CommandError.ts"
import * as Database from "../Database.ts"
import { refuseOccupied, writeWholeFile } from "../files/writeWholeFile.ts"
import { countOf } from "../terminal/format.ts"
import * as Output from "../terminal/Output.ts"
import { counter } from "../terminal/Progress.ts"
import { type ClickLines, type LineFormat, linesOf } from "./ClickLines.ts"
import { type FilterOptions, toFilterParameters } from "./FilterOptions.ts"

export interface ExportOptions extends FilterOptions {
  readonly format?: LineFormat
  readonly out?: string
  readonly force: boolean
  readonly json?: boolean
}

// Clicks written at once: some 200 kB.
const piece = 256

const filterOf = (options: FilterOptions) =>
  Effect.fromResult(
    Result.mapError(
      ClickQuery.parseFilter(toFilterParameters(options)),
      ({ message }) => new UsageError({ message: `--${message}` })
    )
  )

// Extensions that say that a file has another format.
const foreignExtensions = { csv: [".json", ".jsonl", ".ndjson"], ndjson: [".csv"] }

const formatByExtension = (extension: string): LineFormat | undefined => {
  if (extension === ".csv") return "csv"
  return ["", ".ndjson", ".jsonl"].includes(extension) ? "ndjson" : undefined
}

const formatOf = (options: ExportOptions): Result.Result<LineFormat, UsageError> => {
  const { out = "" } = options
  const extension = extname(out.replace(/\.gz$/i, "")).toLowerCase()
  const refuse = (message: string) => Result.fail(new UsageError({ message }))
  const format = options.format ?? formatByExtension(extension)
  if (format === undefined)
    return refuse(`Unsupported extension ${extension}. Use --format csv or --format ndjson`)
  return foreignExtensions[format].includes(extension)
    ? refuse(`--format ${format} does not match the extension of --out ${out}. Change one of them`)
    : Result.succeed(format)
}

const texts = <E, R>(
  clicks: Stream.Stream<ClickEvent, E, R>,
  { header, line }: ClickLines,
  onPiece: (count: number) => void
): Stream.Stream<string, E, R> =>
  Stream.make(header).pipe(
    Stream.concat(
      clicks.pipe(
        Stream.rechunk(piece),
        Stream.mapArray((events) => {
          onPiece(events.length)
          return [events.map(line).join("")] as const
        })
      )
    ),
    Stream.filter((text) => text !== "")
  )

const toStandardOutput = (clicks: Stream.Stream<ClickEvent, ClickStoreError>, format: LineFormat) =>
  Stream.runForEach(
    texts(clicks, linesOf(format, Output.isTerminal()), () => {}),
    Output.write
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

/** `clicks export`: every stored click that the filters mean, in constant memory. */
export const exportClicks = Effect.fn("exportClicks")(function* (options: ExportOptions) {
  const filter = yield* filterOf(options)
  const { json, out } = options
  const format = yield* Effect.fromResult(formatOf(options))
  if (out !== undefined) yield* refuseOccupied(out, options.force)
  const written = yield* Effect.gen(function* () {
    const { stream } = yield* ClickStore
    if (out !== undefined) return yield* toFile(stream(filter), format, out)
    yield* toStandardOutput(stream(filter), format)
    return undefined
  }).pipe(Effect.provide(Database.layer))
  if (written === undefined) return exitCodes.done
  if (json) yield* Output.json({ exported: written, out })
  yield* Output.note(`${countOf(written, "click")} in ${out}`)
  return exitCodes.done
})
