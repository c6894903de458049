import * as ClickStoreMemory from "@clicks/core/clicks/ClickStoreMemory"
import * as QuarantineMemory from "@clicks/core/clicks/recording/QuarantineMemory"
import { Duration, Effect, Layer, Stream } from "effect"
import { CommandFailed, exitCodes, UsageError } from "../CommandError.ts"
import * as Database from "../Database.ts"
import { type InputFile, openInput } from "../files/InputFile.ts"
import { countOf, grouped } from "../terminal/format.ts"
import * as Output from "../terminal/Output.ts"
import { bar, counter } from "../terminal/Progress.ts"
import {
  addOutcome,
  countsTable,
  emptySummary,
  type ImportSummary,
  remarks
} from "./importing/ImportSummary.ts"
import { detectFormat, type InputFormat, isEnoughForFormat, rowFormat } from "./importing/InputFormat.ts"
import { rowJudge } from "./importing/judgeRow.ts"
import { openRejects } from "./importing/Rejects.ts"
import { rowBatches } from "./importing/RowBatches.ts"
import { checkHeader, parseMapping, type RowMapping, readsColumn } from "./importing/RowMapping.ts"
import { storeRows } from "./importing/storeRows.ts"

interface ImportOptions extends Output.Format {
  readonly map?: ReadonlyArray<string>
  readonly set?: ReadonlyArray<string>
  readonly delimiter?: string
  readonly namespace?: string
  readonly rejects?: string
  readonly force: boolean
  readonly retryFor: number
  readonly dryRun?: boolean
}

const mappingOf = ({ map = [], set = [] }: ImportOptions) =>
  Effect.mapError(Effect.fromResult(parseMapping(map, set)), (message) => new UsageError({ message }))

const formatOf = Effect.fnUntraced(function* (input: InputFile, mapping: RowMapping, delimiter?: string) {
  const format = yield* Effect.mapError(
    Effect.fromResult(detectFormat(input.sample, readsColumn(mapping), delimiter)),
    (reason) => new CommandFailed({ message: `${input.name} ${reason}` })
  )
  if (format._tag === "Csv") yield* Effect.fromResult(checkHeader(mapping, format.header, input.name))
  return format
})

const memory = Layer.mergeAll(ClickStoreMemory.layer, QuarantineMemory.layer)

const progressText = ({ counts, lastLine }: ImportSummary, rejects: string | undefined) => {
  const again = `the same command again${rejects === undefined ? "" : ", with --force to replace the file of --rejects"}; rows that are already stored are skipped`
  return counts.read === 0
    ? `No row is confirmed as stored. Run ${again}`
    : `${countOf(counts.read, "row")} processed, up to line ${grouped(lastLine)}. To resume, run ${again}`
}

/** Shows the progress by bytes of the file, or by rows of standard input. Call `update` with the number of rows. */
const showProgress = ({ position, size }: InputFile) => {
  if (size === undefined) return counter("rows")
  const texts = (rows: number) => ({ rows: grouped(rows) })
  const shown = bar(size, "{bar} {percentage}%  {rows} rows  {duration_formatted}", texts(0))
  return Effect.map(shown, ({ update }) => ({
    update: (rows: number) => update(position(), texts(rows))
  }))
}

/** Imports the rows. Returns the counts, and the failure if the import ended with one. */
const importAll = Effect.fnUntraced(function* (
  input: InputFile,
  inputFormat: InputFormat,
  mapping: RowMapping,
  { dryRun = false, force, namespace = "", rejects, retryFor }: ImportOptions
) {
  const start = performance.now()
  const format = rowFormat(inputFormat)
  let summary = emptySummary
  let damage: string | undefined
  const failed = (message: string, cause?: unknown) =>
    new CommandFailed({ message: `${message}. ${progressText(summary, rejects)}`, cause })
  const { judge, unfilled } = rowJudge({ format, mapping, namespace, now: new Date() })
  const batches = rowBatches(input, format.cutter(), judge, (message) => {
    damage = message
  })
  const importing = Effect.gen(function* () {
    const writeRejects = yield* openRejects(rejects, input.name, format, force)
    const progress = yield* showProgress(input)
    return yield* Stream.fromAsyncIterable(
      batches,
      (cause) => new CommandFailed({ message: `${input.name} cannot be read`, cause })
    ).pipe(
      (rows) => storeRows(rows, { dryRun, within: Duration.seconds(retryFor) }),
      Stream.runForEach((outcome) => {
        summary = addOutcome(summary, outcome)
        progress.update(summary.counts.read)
        return writeRejects(outcome.rejections)
      }),
      Effect.match({
        onSuccess: () =>
          damage === undefined ? undefined : failed(`${input.name} is incomplete or damaged: ${damage}`),
        onFailure: (error) => failed(error.message, error)
      })
    )
  })
  const failure = yield* importing.pipe(
    // The bar erases its line when its scope closes, so the note comes after that.
    Effect.scoped,
    Effect.onInterrupt(() => Output.note(`clicks: interrupted. ${progressText(summary, rejects)}`))
  )
  return { summary, unfilled: unfilled(), failure, seconds: (performance.now() - start) / 1000 }
})

const show = Effect.fnUntraced(function* (
  { seconds, summary, unfilled }: Effect.Success<ReturnType<typeof importAll>>,
  options: ImportOptions
) {
  const { counts } = summary
  const { dryRun = false, json = false } = options
  if (json) yield* Output.json(dryRun ? { ...counts, duplicates: null, dry_run: true } : counts)
  else yield* Output.line(countsTable(counts, dryRun))
  for (const remark of remarks(summary, unfilled, options)) yield* Output.note(remark)
  if (json || seconds < 0.1) return
  const rate = Math.round(counts.read / seconds)
  yield* Output.note(`${seconds.toFixed(1)} s, ${countOf(rate, "row")} a second`)
})

/** `clicks import`: stores the rows of a file as clicks. */
export const importFile = Effect.fn("importFile")(
  function* (path: string, options: ImportOptions) {
    const mapping = yield* mappingOf(options)
    const input = yield* openInput(path, isEnoughForFormat)
    const format = yield* formatOf(input, mapping, options.delimiter)
    const isEmpty = format._tag === "Empty"
    if (isEmpty) yield* Output.note(`${input.name} is empty`)
    const done = yield* importAll(input, format, mapping, options).pipe(
      Effect.provide(options.dryRun || isEmpty ? memory : Database.layer)
    )
    yield* show(done, options)
    const { failure, summary } = done
    if (failure !== undefined) return yield* failure
    if (!isEmpty && summary.counts.read === 0)
      yield* Output.note(`${input.name} has no rows${format._tag === "Csv" ? " after its header" : ""}`)
    return summary.counts.rejected > 0 ? exitCodes.someRejected : exitCodes.done
  },
  Effect.scoped,
  Database.creating
)
