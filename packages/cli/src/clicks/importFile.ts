import * as ClickStoreMemory from "@clicks/core/clicks/ClickStoreMemory"
import * as QuarantineMemory from "@clicks/core/clicks/recording/QuarantineMemory"
import { Duration, Effect, Layer, Result, Stream } from "effect"
import { CommandFailed, type ExitCode, exitCodes, UsageError } from "../CommandError.ts"
import * as Database from "../Database.ts"
import { countOf, grouped } from "../terminal/format.ts"
import * as Output from "../terminal/Output.ts"
import { countsTable, remarks } from "./importing/explainImport.ts"
import { addOutcome, emptySummary, type ImportSummary } from "./importing/ImportSummary.ts"
import { type InputFile, openInput } from "./importing/InputFile.ts"
import { detectFormat, type InputFormat, rowReader } from "./importing/InputFormat.ts"
import { importProgress } from "./importing/importProgress.ts"
import { importRows } from "./importing/importRows.ts"
import { rowJudge } from "./importing/judgeRow.ts"
import { openRejects } from "./importing/RejectsFile.ts"
import { rowBatches } from "./importing/RowBatches.ts"
import { checkHeader, parseMapping, type RowMapping, readsColumn } from "./importing/RowMapping.ts"

export interface ImportOptions {
  readonly map?: ReadonlyArray<string>
  readonly set?: ReadonlyArray<string>
  readonly delimiter?: string
  readonly namespace?: string
  readonly rejects?: string
  readonly force: boolean
  readonly retryFor: string
  readonly dryRun?: boolean
  readonly json?: boolean
}

const delimiterOf = (text: string | undefined): Result.Result<string | undefined, string> => {
  const delimiter = text === "tab" || text === "\\t" ? "\t" : text
  return delimiter === undefined || /^[\t\x20-\x7e]$/.test(delimiter)
    ? Result.succeed(delimiter)
    : Result.fail('--delimiter must be one ASCII character, or "tab"')
}

const durationOf = (text: string): Result.Result<Duration.Duration, string> =>
  /^\d{1,6}$/.test(text)
    ? Result.succeed(Duration.seconds(Number(text)))
    : Result.fail("--retry-for must be a whole number of seconds")

const usage = <A>(result: Result.Result<A, string>): Effect.Effect<A, UsageError> =>
  Effect.fromResult(Result.mapError(result, (message) => new UsageError({ message })))

const formatOf = Effect.fnUntraced(function* (
  input: InputFile,
  mapping: RowMapping,
  delimiter: string | undefined
) {
  const format = yield* Effect.fromResult(
    Result.mapError(
      detectFormat(input.sample, readsColumn(mapping), delimiter),
      (reason) => new CommandFailed({ message: `${input.name} ${reason}` })
    )
  )
  const problem = format._tag === "Csv" ? checkHeader(mapping, format.header) : undefined
  if (problem === undefined) return format
  const message = `${input.name}: ${problem.message}`
  return yield* problem.isMapping ? new UsageError({ message }) : new CommandFailed({ message })
})

const memory = Layer.mergeAll(ClickStoreMemory.layer, QuarantineMemory.layer)

const howFar = ({ counts, lastLine }: ImportSummary, rejects: string | undefined) => {
  const again = rejects === undefined ? "" : ", with --force to replace the file of --rejects"
  return counts.read === 0
    ? `No row is confirmed as stored. Run the same command again${again}; rows that are already stored are skipped`
    : `${countOf(counts.read, "row")} processed, up to line ${grouped(lastLine)}. To resume, run the same command again${again}; rows that are already stored are skipped`
}

/** Imports the rows of a format that is known. Returns what was done, also when it ends in a failure. */
const importAll = Effect.fnUntraced(function* (
  input: InputFile,
  format: InputFormat,
  mapping: RowMapping,
  within: Duration.Duration,
  options: ImportOptions
) {
  const start = performance.now()
  let summary = emptySummary
  let damage: string | undefined
  const { dryRun = false, force, namespace = "", rejects } = options
  const withHowFar = (message: string, cause?: unknown) =>
    new CommandFailed({
      message: `${message}. ${howFar(summary, rejects)}`,
      ...(cause !== undefined && { cause })
    })
  const { judge, unfilled } = rowJudge({ mapping, namespace, now: new Date() })
  const batches = rowBatches(input, rowReader(format), judge, (message) => {
    damage = message
  })
  const importing = Effect.gen(function* () {
    const keepRejects = yield* openRejects(rejects, input.name, force)
    const progress = yield* importProgress(input)
    return yield* Stream.fromAsyncIterable(
      batches,
      (cause) => new CommandFailed({ message: `${input.name} cannot be read`, cause })
    ).pipe(
      (rows) => importRows(rows, { dryRun, within }),
      Stream.runForEach((outcome) => {
        summary = addOutcome(summary, outcome)
        progress.update(summary.counts.read)
        return keepRejects(outcome.rejections)
      }),
      Effect.match({
        onSuccess: () =>
          damage === undefined ? undefined : withHowFar(`${input.name} is incomplete or damaged: ${damage}`),
        onFailure: (error) => withHowFar(error.message, error)
      })
    )
  })
  const failure = yield* importing.pipe(
    // The bar erases the line it stands on when its scope closes, so the note comes after that.
    Effect.scoped,
    Effect.onInterrupt(() => Output.note(`clicks: interrupted. ${howFar(summary, rejects)}`))
  )
  return { summary, unfilled: unfilled(), failure, seconds: (performance.now() - start) / 1000 }
})

const show = Effect.fnUntraced(function* (
  { seconds, summary, unfilled }: Effect.Success<ReturnType<typeof importAll>>,
  options: ImportOptions
) {
  const { counts } = summary
  const { dryRun = false, json = false, namespace = "", rejects } = options
  if (json) yield* Output.json(dryRun ? { ...counts, duplicates: null, dry_run: true } : counts)
  else yield* Output.line(countsTable(counts, dryRun))
  for (const remark of remarks(summary, unfilled, { rejects, namespace, dryRun })) yield* Output.note(remark)
  if (json || seconds < 0.1) return
  const rate = Math.round(counts.read / seconds)
  yield* Output.note(`${seconds.toFixed(1)} s, ${countOf(rate, "row")} a second`)
})

/** `clicks import`: stores the rows of a file as clicks. */
export const importFile = Effect.fn("importFile")(
  function* (path: string, options: ImportOptions) {
    const mapping = yield* usage(parseMapping(options.map ?? [], options.set ?? []))
    const delimiter = yield* usage(delimiterOf(options.delimiter))
    const within = yield* usage(durationOf(options.retryFor))
    const input = yield* openInput(path)
    const format = yield* formatOf(input, mapping, delimiter)
    if (format._tag === "Empty") yield* Output.note(`${input.name} is empty`)
    const done = yield* importAll(input, format, mapping, within, options).pipe(
      Effect.provide(options.dryRun || format._tag === "Empty" ? memory : Database.layer)
    )
    yield* show(done, options)
    const { failure, summary } = done
    if (failure === undefined && format._tag !== "Empty" && summary.counts.read === 0) {
      const place = format._tag === "Csv" ? " after its header" : ""
      yield* Output.note(`${input.name} has no rows${place}`)
    }
    if (failure !== undefined) return yield* failure
    const code: ExitCode = summary.counts.rejected > 0 ? exitCodes.someRejected : exitCodes.done
    return code
  },
  Effect.scoped,
  Database.creating
)
