import { fstatSync } from "node:fs"
import { Effect } from "effect"
import { CommandFailed, OutputClosed } from "../CommandError.ts"
import { type Column, table } from "./Table.ts"
import { visibleJson } from "./visibleText.ts"

// Without a listener, a closed pipe ends the process before the callback of the write runs.
process.stdout.on("error", () => {})
process.stderr.on("error", () => {})

const closedCodes: ReadonlyArray<unknown> = ["EPIPE", "ERR_STREAM_DESTROYED"]

/** Writes to standard output and waits until the data is written. Fails with `OutputClosed` when the reader has closed it. */
export const write = (chunk: string | Uint8Array): Effect.Effect<void, OutputClosed | CommandFailed> =>
  Effect.callback((resume) => {
    process.stdout.write(chunk, (error) => {
      if (!error) return resume(Effect.void)
      const isClosed = "code" in error && closedCodes.includes(error.code)
      const message = `Cannot write to standard output: ${error.message}`
      resume(Effect.fail(isClosed ? new OutputClosed() : new CommandFailed({ message, cause: error })))
    })
  })

/** Writes a line unchanged. Pass text from outside through `visibleText` first. */
export const line = (text: string) => write(`${text}\n`)

/** Writes a value as JSON on one line. */
export const json = (value: unknown) => line(visibleJson(JSON.stringify(value)))

/** Writes a line that is not data: to standard error. */
export const note = (text: string): Effect.Effect<void> =>
  Effect.callback((resume) => {
    process.stderr.write(`${text}\n`, () => resume(Effect.void))
  })

export const isTerminal = (): boolean => process.stdout.isTTY === true

/** Columns of the terminal on standard output; infinite if it is a file or a pipe. */
export const width = (): number => (isTerminal() ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY)

// The reader of the pipe may be a pager: it draws on the terminal to which the note would go.
const mayBePaged = (): boolean => process.stderr.isTTY === true && fstatSync(1).isFIFO()

/** Writes a note below a table, such as the number of rows. Omitted if it might overwrite a pager. */
export const footer = (text: string): Effect.Effect<void> => (mayBePaged() ? Effect.void : note(text))

/** An option of most commands. */
export interface Format {
  readonly json?: boolean | undefined
}

/** Writes rows as a table with a footer, or `answer` as JSON. */
export const list = Effect.fnUntraced(function* <A>(
  format: Format,
  answer: unknown,
  columns: ReadonlyArray<Column<A>>,
  rows: ReadonlyArray<A>,
  footerText: string
) {
  if (format.json) return yield* json(answer)
  if (rows.length > 0) yield* line(table(columns, rows, width()))
  yield* footer(footerText)
})

/** Writes what a command has changed: as a sentence, or as JSON. */
export const change = (format: Format, value: unknown, sentence: string) =>
  format.json ? json(value) : note(sentence)
