import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { clicks, onTestDatabase } from "../clicks.ts"
import { hasTerminals, inTerminal } from "../terminal.ts"
import { stage } from "./storedClicks.ts"

const sent = '{"product_id":"p-1","action":"view","source":"web","visitor_lat":"north"}'

describe("clicks quarantine", () => {
  it.live("lists originals, and clear deletes them", () =>
    Effect.gen(function* () {
      yield* clicks(["import", "-"], { input: sent })
      const list = yield* clicks(["quarantine", "list"])
      assert.match(list.stdout, /^received_at +reason\n[\d-]+ [\d:]+Z +visitor_lat is not a number\n$/)
      assert.strictEqual(list.stderr, "1 of 1 entry\n")

      const { entries, total } = JSON.parse((yield* clicks(["quarantine", "list", "--json"])).stdout)
      assert.strictEqual(total, 1)
      assert.strictEqual(entries[0].original, sent)

      const early = yield* clicks(["quarantine", "clear", "--before", entries[0].received_at])
      assert.strictEqual(early.stderr, "Deleted 0 originals\n")
      const late = yield* clicks(["quarantine", "clear", "--before", "9999-01-01", "--json"])
      assert.deepStrictEqual(JSON.parse(late.stdout), { removed: 1 })
      assert.strictEqual((yield* clicks(["quarantine", "list"])).stderr, "0 of 0 entries\n")
      assert.include((yield* clicks(["list"])).stderr, "1 of 1 click")
    }).pipe(Effect.provide(stage))
  )

  it.live("clears by words and months, as list accepts them", () =>
    Effect.gen(function* () {
      const row = (received_at: string) => JSON.stringify({ ...JSON.parse(sent), received_at })
      const days = [1, 8, 400].map((ago) => row(new Date(Date.now() - ago * 86_400_000).toISOString()))
      const lastYear = new Date(Date.now() - 200 * 86_400_000).toISOString().slice(0, 7)
      yield* clicks(["import", "-"], { input: days.join("\n") })
      const removed = (...before: ReadonlyArray<string>) =>
        Effect.map(clicks(["quarantine", "clear", "--json", "--before", ...before]), ({ stderr, stdout }) => {
          assert.strictEqual(stderr, "")
          return JSON.parse(stdout).removed
        })
      assert.strictEqual(yield* removed(lastYear, "--tz", "Asia/Tokyo"), 1)
      assert.strictEqual(yield* removed("7d"), 1)
      assert.strictEqual(yield* removed("today"), 1)
    }).pipe(Effect.provide(stage))
  )

  it.live("is cleared by the command that doctor suggests", () =>
    Effect.gen(function* () {
      yield* clicks(["import", "-"], { input: sent })
      const { stdout } = yield* clicks(["doctor"], { env: { PORT: "0" } })
      const [, line = ""] = /"clicks (quarantine clear [^"]+)"/.exec(stdout.replaceAll(/\s+/g, " ")) ?? []
      const { code, stderr } = yield* clicks(line.split(" "))
      assert.deepStrictEqual([code, stderr], [0, "Deleted 1 original\n"])
    }).pipe(Effect.provide(stage))
  )

  it.live.skipIf(!hasTerminals)("wraps reasons in a terminal and shows all of them", () =>
    Effect.gen(function* () {
      const values = { visitor_lng: "west", store_id: {}, brand_id: {}, user_id: {}, user_agent: "\0" }
      yield* clicks(["import", "-"], { input: JSON.stringify({ ...JSON.parse(sent), ...values }) })
      const [entry] = JSON.parse((yield* clicks(["quarantine", "list", "--json"])).stdout).entries
      const { stdout } = yield* inTerminal(["quarantine", "list"], 80, yield* onTestDatabase)
      const [title = "", ...lines] = stdout.replaceAll("\r\n", "\n").split("\n").slice(0, -2)
      const column = title.indexOf("reason")
      assert.isTrue(lines.every((line) => line.length <= 80))
      assert.strictEqual(lines.map((line) => line.slice(column)).join(" "), entry.reason)
      assert.isAbove(entry.reason.length, 160)
    }).pipe(Effect.provide(stage))
  )

  it.live("names invalid options", () =>
    Effect.gen(function* () {
      for (const [args, reason] of [
        [["list", "--limit", "0"], /--limit must be a whole number, from 1 to 1000/],
        [
          ["clear", "--before", "soon"],
          /--before must be an ISO 8601 date .*; it is "soon"\. Also valid: .* 7d/
        ],
        [["clear"], /required option '--before <time>' not specified/]
      ] as const) {
        const { code, stderr } = yield* clicks(["quarantine", ...args])
        assert.match(stderr, reason)
        assert.strictEqual(code, 2)
      }
    }).pipe(Effect.provide(stage))
  )
})
