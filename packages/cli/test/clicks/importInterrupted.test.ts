import type { ChildProcess } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Redacted, Schedule } from "effect"
import * as DatabaseProxy from "../../../sql-adapter/test/DatabaseProxy.ts"
import { begin, clicks, type Environment, Folder, onTestDatabase, outcomeOf } from "../clicks.ts"
import { commandLine, hasTerminals, typing } from "../terminal.ts"
import { csvHeader, csvRows, stage, stored, untilStored } from "./storedClicks.ts"

const rows = 6000
const whole = csvHeader + csvRows(1, rows)

/** Starts an import whose input is written piece by piece. */
const beginImport = (env: Environment, ...args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { path } = yield* Folder
    const child = begin(["import", "-", "--json", ...args], env, path)
    child.stdin?.on("error", () => {})
    yield* Effect.addFinalizer(() => Effect.sync(() => child.kill("SIGKILL")))
    const outcome = outcomeOf(child)
    // Searches all output, because the text may appear before the test waits for it.
    let said = ""
    child.stderr?.on("data", (text: string) => {
      said += text
    })
    const says = (sentence: string) =>
      Effect.sync(() => said.includes(sentence)).pipe(
        Effect.repeat({ schedule: Schedule.spaced("5 millis"), until: (isSaid) => isSaid })
      )
    return { child, outcome, says }
  })

const send = (child: ChildProcess, text: string) => Effect.sync(() => child.stdin?.write(text))

const assertComplete = Effect.gen(function* () {
  const events = yield* stored
  assert.strictEqual(events.length, rows)
  assert.strictEqual(new Set(events.map((event) => event.product_id)).size, rows)
})

describe("clicks import", () => {
  it.live("stores each row once when it is killed and run again", () =>
    Effect.gen(function* () {
      const { child, outcome } = yield* beginImport(yield* onTestDatabase)
      yield* send(child, csvHeader + csvRows(1, 3500))
      yield* untilStored(1000)
      child.kill("SIGKILL")
      yield* Effect.promise(() => outcome)
      const again = yield* clicks(["import", "-", "--json"], { input: whole })
      const { duplicates, imported, read } = JSON.parse(again.stdout)
      assert.strictEqual(again.code, 0, again.stderr)
      assert.deepStrictEqual([read, imported + duplicates], [rows, rows])
      assert.isAtLeast(duplicates, 1000)
      yield* assertComplete
    }).pipe(Effect.scoped, Effect.provide(stage))
  )

  it.live("reports how many rows are stored when it is interrupted", () =>
    Effect.gen(function* () {
      const { child, outcome } = yield* beginImport(yield* onTestDatabase)
      yield* send(child, csvHeader + csvRows(1, 3500))
      // A commit is visible before the command receives its response. When the third batch is stored, it has that of the first.
      yield* untilStored(3000)
      child.kill("SIGINT")
      const { code, stderr } = yield* Effect.promise(() => outcome)
      assert.strictEqual(code, 130)
      assert.match(stderr, /^clicks: interrupted\. .*run the same command again/)
    }).pipe(Effect.scoped, Effect.provide(stage))
  )

  it.live.skipIf(!hasTerminals)("explains how to resume when it is stopped by Ctrl-C", () =>
    Effect.gen(function* () {
      const { path } = yield* Folder
      // Far more rows than can be imported before the key press.
      writeFileSync(join(path, "clicks.csv"), csvHeader + csvRows(1, 500_000))
      const line = commandLine(["import", "clicks.csv", "--rejects", "rejects.ndjson"])
      const terminal = yield* typing(line, yield* onTestDatabase)
      yield* Effect.promise(() => terminal.type("", /[1-9][\d,]* rows/))
      yield* Effect.promise(() => terminal.type("\u0003", /interrupted/))
      assert.strictEqual(yield* Effect.promise(() => terminal.ended), 130)
      const [kept = ""] = terminal.raw.split("\u001b[2K").slice(-1)
      assert.match(
        kept,
        /clicks: interrupted\. [\d,]+ rows processed, up to line [\d,]+\. To resume, run the same command again, with --force /
      )
    }).pipe(Effect.scoped, Effect.provide(stage))
  )

  it.live(
    "retries for --retry-for while the database is unavailable, then fails with the number of stored rows",
    () =>
      Effect.gen(function* () {
        const { start, stop, url } = yield* DatabaseProxy.DatabaseProxy
        const env = { ...(yield* onTestDatabase), DATABASE_URL: Redacted.value(url) }
        const short = yield* beginImport(env)
        yield* send(short.child, csvHeader + csvRows(1, 2000))
        yield* untilStored(1000)
        yield* stop
        yield* send(short.child, csvRows(2001, 4000))
        yield* short.says("Retrying for 30s")
        yield* start
        short.child.stdin?.end(csvRows(4001, 5000))
        const waited = yield* Effect.promise(() => short.outcome)
        assert.strictEqual(waited.code, 0, waited.stderr)
        assert.strictEqual((yield* stored).length, 5000)

        const long = yield* beginImport(env, "--retry-for", "5", "--namespace", "long")
        yield* send(long.child, csvHeader + csvRows(1, 5000))
        // Three batches are stored concurrently, so the fourth is sent after one of them.
        yield* untilStored(9000)
        yield* stop
        long.child.stdin?.end(csvRows(5001, 7000))
        const gone = yield* Effect.promise(() => long.outcome)
        assert.strictEqual(gone.code, 1)
        assert.match(
          gone.stderr,
          /did not respond for 5s\. [\d,]+ rows processed, up to line [\d,]+\. To resume, run the same command again/
        )
        assert.isAtLeast(JSON.parse(gone.stdout).imported, 1000)

        yield* start
        const hasty = yield* beginImport(env, "--retry-for", "0", "--namespace", "hasty")
        const before = (yield* stored).length
        yield* send(hasty.child, csvHeader + csvRows(1, 2000))
        const failed = yield* Effect.forkChild(Effect.promise(() => hasty.outcome))
        yield* Effect.raceFirst(untilStored(before + 1000), Fiber.await(failed))
        yield* stop
        hasty.child.stdin?.end(csvRows(2001, 4000))
        const { code, stderr } = yield* Fiber.join(failed)
        assert.strictEqual(code, 1)
        assert.match(stderr, /^clicks: The database did not respond\. .*\bthe same command again/)
      }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(DatabaseProxy.layer, stage)))
  )
})
