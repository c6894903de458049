import {
  closeSync,
  cpSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync
} from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, Schedule } from "effect"
import { append, peek, remove, spooledClick, spooledClicks, status } from "../../../../core/test/contract/spooledClicks.ts"
import * as SpoolSqlite from "../../../src/clicks/SpoolSqlite.ts"
import { temporaryFolder } from "./temporaryFolder.ts"

const pageSize = 4096
const spoolIn = (directory: string) => SpoolSqlite.layer({ directory, maxBytes: 1024 ** 3 })
const fileIn = (directory: string) => join(directory, "spool.sqlite")

const garbage = (length: number) => Uint8Array.from({ length }, () => Math.floor(Math.random() * 256))

const overwrite = (file: string, at: number, bytes: Uint8Array): void => {
  const descriptor = openSync(file, "r+")
  writeSync(descriptor, bytes, 0, bytes.length, at)
  closeSync(descriptor)
}

const ids = (clicks: ReadonlyArray<{ readonly event: { readonly id: string } }>) => clicks.map(({ event }) => event.id)

const waitingIds = Effect.map(peek(1_000_000), ids)

/** What is logged while the effect runs. */
const listening = <A, E, R>(effect: Effect.Effect<A, E, R>) => {
  const lines: Array<string> = []
  const logger = Logger.make(({ message }) => void lines.push(String(message)))
  return Effect.map(effect.pipe(Effect.provide(Logger.layer([logger]))), (result) => ({ result, lines }))
}

/** The reports on what was set aside, when there are as many as are awaited. */
const reports = (directory: string, count: number) =>
  Effect.sync(() =>
    readdirSync(directory)
      .filter((name) => /^spool\.damaged-.*\.json$/.test(name))
      .map((name): unknown => JSON.parse(readFileSync(join(directory, name), "utf8")))
  ).pipe(Effect.repeat({ until: (found) => found.length === count, schedule: Schedule.spaced("5 millis") }))

/** A spool of 3,000 clicks, every hundredth with a long original; the first 500 have been drained. */
const written = Effect.gen(function* () {
  const directory = yield* temporaryFolder
  const clicks = spooledClicks(3000).map((click, index) =>
    index % 100 === 7
      ? {
          ...click,
          quarantined: {
            click_id: click.event.id,
            received_at: click.event.received_at,
            reason: "too long",
            original: garbage(20_000)
          }
        }
      : click
  )
  yield* Effect.gen(function* () {
    for (let at = 0; at < clicks.length; at += 250) yield* append(clicks.slice(at, at + 250))
    yield* remove((yield* peek(500)).map((entry) => entry.position))
  }).pipe(Effect.provide(spoolIn(directory)))
  return { directory, file: fileIn(directory), clicks: clicks.slice(500) }
})

/** Opens the damaged spool, adds a click, waits for the salvage and tells what is in the line then. */
const reopened = (directory: string) =>
  listening(
    Effect.gen(function* () {
      const late = spooledClick()
      yield* append([late])
      const [report] = yield* reports(directory, 1)
      const entries = yield* peek(1_000_000)
      return { late, report, entries, status: yield* status }
    }).pipe(Effect.provide(spoolIn(directory)))
  )
