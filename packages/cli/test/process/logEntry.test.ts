import { assert, describe, it } from "@effect/vitest"
import { Cause, Data, Effect, Logger } from "effect"
import { logEntry } from "../../src/process/logging.ts"

class Foreseen extends Data.TaggedError("Foreseen")<{ readonly message: string; readonly cause: unknown }> {}

const away = new Foreseen({ message: "The store is away", cause: new Error("refused") })

const lineOf = (logged: ReadonlyArray<unknown>, isDetailed = false) =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const logger = Logger.make<unknown, void>((entry) => {
      lines.push(Logger.formatLogFmt.log(logEntry(entry, isDetailed)))
    })
    yield* Effect.logError(...logged).pipe(Effect.provide(Logger.layer([logger])))
    return (lines[0] ?? "").replace(/^.*?(?=message=)/, "")
  })

describe("a log entry", () => {
  it.effect("reports an expected failure in one line, logged as an error or as a cause", () =>
    Effect.gen(function* () {
      const expected = 'message=Failed cause="Foreseen: The store is away: refused"'
      assert.strictEqual(yield* lineOf(["Failed", away]), expected)
      assert.strictEqual(yield* lineOf(["Failed", Cause.fail(away)]), expected)
    })
  )

  it.effect("reports the first of several failed addresses", () =>
    Effect.gen(function* () {
      const cause = new AggregateError([new Error("refused ::1"), new Error("refused 127.0.0.1")])
      const error = new Foreseen({ message: "The store is away", cause })
      assert.strictEqual(
        yield* lineOf(["Failed", error]),
        'message=Failed cause="Foreseen: The store is away: refused ::1"'
      )
    })
  )

  it.effect("includes the stack of a bug, and of every error with details on", () =>
    Effect.gen(function* () {
      const here = "logEntry.test.ts"
      assert.include(yield* lineOf(["Failed", new TypeError("a bug")]), here)
      assert.include(yield* lineOf(["Failed", Cause.die(away)]), here)
      assert.include(yield* lineOf(["Failed", away], true), here)
    })
  )
})
