import type { ChildProcess } from "node:child_process"
import { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import * as Uuid from "@clicks/core/values/Uuid"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Fiber, Layer, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { arbitraryClick } from "../../../core/test/contract/analytics/arbitraryAnalytics.ts"
import * as DatabaseProxy from "../../../sql-adapter/test/DatabaseProxy.ts"
import { begin, beginUnder, type Environment, Folder, onTestDatabase, outcomeOf } from "../clicks.ts"
import { commandLine, shell } from "../terminal.ts"
import { stage } from "./storedClicks.ts"

const [template] = Effect.runSync(Arbitrary.sampleEffect(arbitraryClick, { count: 1, seed: 1 }))

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(ClickEvent))

const click = (fields: Partial<ClickEvent> = {}): ClickEvent => {
  if (template === undefined) throw new Error("no click was generated")
  return { ...template, id: Uuid.make(0), ...fields }
}

const insert = (...clicks: ReadonlyArray<ClickEvent>) => ClickStore.use((store) => store.insert(clicks))

/** The output of a process so far, and a way to wait for more. */
const listening = (child: ChildProcess, stream: "stdout" | "stderr") => {
  let text = ""
  const looks = new Set<() => void>()
  child[stream]?.on("data", (chunk: string) => {
    text += chunk
    for (const look of looks) look()
  })
  return (holds: (text: string) => boolean) =>
    Effect.callback<string>((resume) => {
      const look = () => {
        if (!holds(text)) return
        looks.delete(look)
        resume(Effect.succeed(text))
      }
      looks.add(look)
      look()
    })
}

/** Starts `clicks tail` and waits until it follows new clicks. */
const tailing = Effect.fnUntraced(function* (args: ReadonlyArray<string>, env: Environment) {
  const { path } = yield* Folder
  const child = begin(["tail", ...args], env, path)
  yield* Effect.addFinalizer(() => Effect.sync(() => child.kill("SIGKILL")))
  const outcome = outcomeOf(child)
  const [printed, told] = [listening(child, "stdout"), listening(child, "stderr")]
  const tells = (sentence: string) => told((text) => text.includes(sentence))
  yield* tells("Following")
  return {
    child,
    outcome: Effect.promise(() => outcome),
    tells,
    /** Waits for this many lines and returns all. */
    lines: (count: number) =>
      Effect.map(
        printed((text) => text.split("\n").length > count),
        (text) => text.trimEnd().split("\n")
      )
  }
})

const killIfAlive = (pid: number) => {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // It has already ended.
  }
}

describe("clicks tail", () => {
  it.effect("prints new clicks that match, once each, as JSON; SIGINT ends it quietly", () =>
    Effect.gen(function* () {
      yield* insert(click({ source: "web" }))
      const { child, lines, outcome } = yield* tailing(["--source", "web", "--json"], yield* onTestDatabase)
      const old = new Date("1999-01-01")
      const wanted = [click({ source: "web", occurred_at: old, received_at: old }), click({ source: "web" })]
      yield* Effect.forEach(wanted, (each) => insert(each, click({ source: "app" })))
      assert.deepStrictEqual(
        (yield* lines(2)).map((line) => decode(line)),
        wanted
      )
      child.kill("SIGINT")
      const { code, stderr, stdout } = yield* outcome
      assert.strictEqual(code, 130)
      assert.strictEqual(stdout.trimEnd().split("\n").length, 2)
      assert.strictEqual(stderr, "Following new clicks. Stop with Ctrl-C\n")
    }).pipe(Effect.provide(stage))
  )

  it.effect("prints a line per click, in the time zone of --tz and without control characters", () =>
    Effect.gen(function* () {
      const { lines } = yield* tailing(["--tz", "Asia/Kathmandu"], yield* onTestDatabase)
      yield* insert(
        click({
          occurred_at: new Date("2026-11-20T10:00:00Z"),
          action: "view",
          product_id: "p-1\u001b[31m\n",
          source: "web",
          campaign_id: "spring",
          brand_id: null,
          store_id: null,
          visitor_state: "AZ",
          user_id: null
        })
      )
      assert.deepStrictEqual(yield* lines(1), [
        "2026-11-20 15:45:00+05:45  view          p-1␛[31m␊     web  campaign_id=spring  visitor_state=AZ"
      ])
    }).pipe(Effect.provide(stage))
  )

  it.effect("continues after a database outage without missing a click", () =>
    Effect.gen(function* () {
      const proxy = yield* DatabaseProxy.DatabaseProxy
      const env = { ...(yield* onTestDatabase), DATABASE_URL: Redacted.value(proxy.url) }
      const { lines, tells } = yield* tailing(["--json"], env)
      const [before = click(), ...meanwhile] = Array.from({ length: 30 }, () => click())
      yield* insert(before)
      yield* lines(1)
      yield* proxy.stop
      yield* tells("Lost connection to the database; waiting")
      yield* insert(...meanwhile)
      yield* proxy.start
      const printed = (yield* lines(30)).map((line) => JSON.parse(line).id)
      assert.sameMembers(
        printed,
        [before, ...meanwhile].map(({ id }) => id)
      )
      yield* tells("Reconnected to the database")
    }).pipe(Effect.provide(DatabaseProxy.layer.pipe(Layer.provideMerge(stage))))
  )

  it.effect("ends quietly when the reader closes the pipe", () =>
    TestClock.withLive(
      Effect.gen(function* () {
        const env = yield* onTestDatabase
        const piped = yield* Effect.forkChild(
          shell(`(${commandLine(["tail", "--json"])}; echo "ended with $?" >&2) | head -n 1`, env)
        )
        // Each click is a write. `head` reads the first and closes the pipe.
        yield* Effect.suspend(() => insert(click())).pipe(
          Effect.andThen(Effect.sleep("100 millis")),
          Effect.repeat({ until: () => piped.pollUnsafe() !== undefined })
        )
        const { stderr, stdout } = yield* Fiber.join(piped)
        assert.lengthOf(stdout.trimEnd().split("\n"), 1)
        assert.strictEqual(stderr, "Following new clicks. Stop with Ctrl-C\nended with 0\n")
      })
    ).pipe(Effect.provide(stage))
  )

  it.effect("ends when npx is stopped, although it receives no signal", () =>
    Effect.gen(function* () {
      const { path } = yield* Folder
      const env = { ...(yield* onTestDatabase), npm_command: "exec" }
      const npxShell = ["/bin/sh", "-c", '"$@" & echo "pid $!" >&2; wait', "sh"]
      const child = beginUnder(npxShell, ["tail"], env, path)
      const outcome = outcomeOf(child)
      const told = listening(child, "stderr")
      const pid = Number(/^pid (\d+)/.exec(yield* told((text) => text.includes("\n")))?.[1])
      yield* Effect.addFinalizer(() => Effect.sync(() => killIfAlive(pid)))
      yield* told((text) => text.includes("Following"))
      child.kill("SIGTERM")
      // The pipes close when the last process that has them open ends, which is tail.
      const { stderr } = yield* Effect.promise(() => outcome)
      assert.strictEqual(stderr, `pid ${pid}\nFollowing new clicks. Stop with Ctrl-C\n`)
    }).pipe(Effect.provide(stage))
  )

  it.effect("names the invalid filter", () =>
    Effect.gen(function* () {
      const { path } = yield* Folder
      const child = begin(["tail", "--from", "last week"], yield* onTestDatabase, path)
      const { code, stderr } = yield* Effect.promise(() => outcomeOf(child))
      assert.strictEqual(code, 2)
      assert.match(stderr, /^clicks: --from must be an ISO 8601 date or date-time/)
    }).pipe(Effect.provide(stage))
  )
})
