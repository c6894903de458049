import { fstatSync } from "node:fs"
import { Effect } from "effect"
import { CommandFailed, OutputClosed } from "../CommandError.ts"
import { visibleJson } from "./visibleText.ts"

// Without a listener a closed pipe would end the process before its write is answered.
process.stdout.on("error", () => {})
process.stderr.on("error", () => {})

const hasCode = (error: Error, code: string): boolean => "code" in error && error.code === code

/** Writes to standard output and waits until it is taken. Fails with `OutputClosed` when nobody reads on. */
export const write = (chunk: string | Uint8Array): Effect.Effect<void, OutputClosed | CommandFailed> =>
  Effect.callback((resume) => {
    process.stdout.write(chunk, (error) => {
      if (!error) return resume(Effect.void)
      const closed = hasCode(error, "EPIPE") || hasCode(error, "ERR_STREAM_DESTROYED")
      resume(
        Effect.fail(
          closed
            ? new OutputClosed()
            : new CommandFailed({
                message: `Standard output cannot be written: ${error.message}`,
                cause: error
              })
        )
      )
    })
  })

/** Writes a line. The text is printed as it is: what came from outside goes through `visibleText` first. */
export const line = (text: string) => write(`${text}\n`)

/** Writes a value as JSON on one line, for machines. */
export const json = (value: unknown) => line(visibleJson(JSON.stringify(value)))

/** Tells the person something that is not data: on standard error. */
export const note = (text: string): Effect.Effect<void> =>
  Effect.callback((resume) => {
    process.stderr.write(`${text}\n`, () => resume(Effect.void))
  })

export const isTerminal = (): boolean => process.stdout.isTTY === true

/** Columns of the terminal that standard output goes to. Infinite where it goes elsewhere: a file or a program gets all of it. */
export const width = (): number => (isTerminal() ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY)

// The program at the other end of the pipe may be a pager, which draws on the terminal that the note would go to.
const mayBePaged = (): boolean => process.stderr.isTTY === true && fstatSync(1).isFIFO()

/** A note below a table: how many rows there are. Left out where it would be printed over a pager. */
export const footer = (text: string): Effect.Effect<void> => (mayBePaged() ? Effect.void : note(text))
