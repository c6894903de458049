import { open, realpath } from "node:fs/promises"
import { Effect, Result } from "effect"
import { type CommandFailed, UsageError } from "../../CommandError.ts"
import { notWritten } from "../../files/fileFailure.ts"
import { refuseOccupied } from "../../files/writeWholeFile.ts"
import { type InputRow, type RowFormat, readRow } from "./InputRow.ts"

/** A row that was not imported, and why. */
export interface Rejection {
  readonly row: InputRow
  readonly reason: string
}

/**
 * The rejection as a line of NDJSON: the row's own columns, `_line` and `_reason`. Users can correct the file and import it with the
 * same `--map` and `--set`. A row that cannot be parsed has `_text` instead of columns.
 */
const rejectionLine = (format: RowFormat, { reason, row }: Rejection): string => {
  const place = { _line: row.line, _reason: reason }
  const columns = readRow(format, row)
  try {
    if (Result.isSuccess(columns)) return `${JSON.stringify({ ...columns.success, ...place })}\n`
  } catch {
    // The row is nested too deeply for `JSON.stringify`.
  }
  return `${JSON.stringify({ ...place, _text: row.original.toString() })}\n`
}

const isSameFile = (a: string, b: string): Effect.Effect<boolean> =>
  Effect.promise(() =>
    Promise.all([realpath(a), realpath(b)]).then(
      ([x, y]) => x === y,
      () => false
    )
  )

const discard = (_: ReadonlyArray<Rejection>): Effect.Effect<void, CommandFailed> => Effect.void

/** Opens the file of `--rejects` for the scope and returns a function that appends rejections to it or, without a path, discards them. */
export const openRejects = Effect.fnUntraced(function* (
  path: string | undefined,
  input: string,
  format: RowFormat,
  force: boolean
) {
  if (path === undefined) return discard
  if (yield* isSameFile(path, input))
    return yield* new UsageError({ message: `--rejects ${path} would overwrite the input file` })
  yield* refuseOccupied(path, force)
  const file = yield* Effect.acquireRelease(
    Effect.tryPromise({ try: () => open(path, "w", 0o600), catch: notWritten(path) }),
    (opened) => Effect.promise(() => opened.close())
  )
  return (rejections: ReadonlyArray<Rejection>) =>
    Effect.tryPromise({
      try: () => file.appendFile(rejections.map((each) => rejectionLine(format, each)).join("")),
      catch: notWritten(path)
    })
})
