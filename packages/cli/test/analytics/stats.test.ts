import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import stringWidth from "string-width"
import { stage } from "../clicks/storedClicks.ts"
import { begin, clicks, Folder, onTestDatabase, outcomeOf } from "../clicks.ts"
import { hasTerminals, inTerminal } from "../terminal.ts"

const record = (action: string, count: number, fields: object = {}) =>
  Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      product_id: `p-${index % 3}`,
      action,
      source: "web",
      campaign_id: "spring",
      occurred_at: "2026-10-25T00:30:00Z",
      ...fields
    })
  )

const fill = clicks(["import", "-"], {
  input: [
    ...record("view", 40),
    ...record("compare", 10),
    ...record("open_product", 20, { occurred_at: "2026-10-25T01:30:00Z" }),
    ...record("view", 5, { campaign_id: "ウェブ店舗\u001b[31m red", occurred_at: "2026-10-24T21:00:00Z" })
  ].join("\n")
})

const rowsOf = (...args: ReadonlyArray<string>) =>
  Effect.map(clicks(["stats", ...args]), ({ stderr, stdout }) => [...stdout.trimEnd().split("\n"), stderr])

const json = (...args: ReadonlyArray<string>) =>
  Effect.map(clicks(["stats", ...args, "--json"]), ({ stdout }) => JSON.parse(stdout))

describe("clicks stats", () => {
  it.effect("counts in groups, over time and along the funnel", () =>
    Effect.gen(function* () {
      yield* fill
      assert.deepStrictEqual(yield* rowsOf(), [
        "action        clicks  visitors",
        `view              45         –  ${"█".repeat(40)}`,
        `open_product      20         –  ${"█".repeat(17)}▊`,
        `compare           10         –  ${"█".repeat(8)}▉`,
        "3 groups\nVisitors are incomplete: 75 clicks identify no visitor\n"
      ])
      const [, largest, , note] = yield* rowsOf("--group-by", "campaign_id", "action", "--limit", "2")
      assert.match(largest ?? "", /^spring +view +40 +– /)
      assert.strictEqual(
        note,
        "2 of 4 groups. Use --limit to show more\nVisitors are incomplete: 75 clicks identify no visitor\n"
      )
      const hours = yield* rowsOf("--interval", "hour", "--tz", "Europe/Berlin")
      assert.deepStrictEqual(
        hours.slice(1, -1).map((row) => row.split(/ {2,}/).slice(0, 2).join(": ")),
        [
          "2026-10-24 23:00 +02:00: 5",
          "2026-10-25 00:00 +02:00: 0",
          "2026-10-25 01:00 +02:00: 0",
          "2026-10-25 02:00 +02:00: 50",
          "2026-10-25 02:00 +01:00: 20"
        ]
      )
      assert.match(hours.at(-1) ?? "", /^5 hours\n/)
      const [titles, view] = yield* rowsOf("--funnel", "product_id", "--campaign-id", "spring")
      assert.match(titles ?? "", /^product_id +step +clicks +of view +of previous +visitors$/)
      assert.match(view ?? "", /^p-0 +view +14 +100.0% +– +█/)
      assert.deepStrictEqual(yield* rowsOf("--source", "nothing"), ["", "0 groups\n"])
    }).pipe(Effect.provide(stage))
  )

  it.effect("notes incomplete visitor counts only if some clicks identify no visitor", () =>
    Effect.gen(function* () {
      const input = [...record("view", 3, { user_id: "u-1" }), ...record("compare", 1), ...record("other", 1)]
      yield* clicks(["import", "-"], { input: input.join("\n") })
      const [, view, ...rest] = yield* rowsOf("--group-by", "campaign_id")
      assert.match(view ?? "", /^spring +5 +1 /)
      assert.deepStrictEqual(rest, ["1 group\nVisitors are incomplete: 2 clicks identify no visitor\n"])
      const funnel = yield* rowsOf("--funnel")
      assert.match(funnel.at(-1) ?? "", /^1 funnel\nVisitors are incomplete: 1 click identifies no visitor/)
      assert.strictEqual((yield* rowsOf("--action", "view")).at(-1), "1 group\n")
      const returning = yield* rowsOf("--returning")
      assert.match(returning.at(-1) ?? "", /^In the whole range: 1 visitor, 1 new and 0 returning\n/)
      assert.deepStrictEqual(Object.keys(yield* json()), ["groups", "total"])
    }).pipe(Effect.provide(stage))
  )

  it.effect("counts each day of a month once, in the time zone of the command", () =>
    Effect.gen(function* () {
      const days = ["2026-10-31", "2026-11-01", "2026-11-30", "2026-11-30", "2026-12-01"]
      const times = [...days.map((day) => `${day}T00:00:00Z`), "2026-11-30T23:30:00Z"]
      yield* clicks(["import", "-"], {
        input: times.flatMap((occurred_at) => record("view", 1, { occurred_at })).join("\n")
      })
      const count = (...range: ReadonlyArray<string>) =>
        Effect.map(json(...range), ({ groups }) => groups[0].clicks)
      assert.strictEqual(yield* count("--from", "2026-11", "--before", "2026-12"), 4)
      assert.strictEqual(yield* count("--from", "2026-11-01", "--to", "2026-12-01"), 5)
      assert.strictEqual(yield* count("--from", "2026-11", "--before", "2026-12", "--tz", "Europe/Berlin"), 3)
      const { groups } = yield* json("--funnel", "--from", "2026-12", "--tz", "America/Phoenix")
      assert.deepStrictEqual(groups, [])
    }).pipe(Effect.provide(stage))
  )

  it.effect("prints the same as the HTTP API with --json", () =>
    Effect.gen(function* () {
      yield* fill
      assert.deepStrictEqual(yield* json("--action", "compare", "--interval", "day"), {
        groups: [{ bucket: "2026-10-25T00:00:00.000Z", clicks: 10, visitors: null }],
        total: 1
      })
      const { group_by, groups } = yield* json("--funnel")
      assert.strictEqual(group_by, "campaign_id")
      assert.deepInclude(groups[0].compare, { action: "compare", clicks: 10, click_rate_from_view: 0.25 })
    }).pipe(Effect.provide(stage))
  )

  it.effect.skipIf(!hasTerminals)("fits the terminal and prints no control characters", () =>
    Effect.gen(function* () {
      yield* fill
      const env = { ...(yield* onTestDatabase), NO_COLOR: "1" }
      const { stdout } = yield* inTerminal(["stats", "--group-by", "campaign_id", "product_id"], 60, env)
      const lines = stdout.replaceAll("\r\n", "\n").split("\n")
      assert.isAbove(lines.filter((line) => line.includes("█")).length, 1)
      for (const line of lines) assert.isAtMost(stringWidth(line), 60)
      assert.notMatch(stdout.replaceAll("\r\n", ""), /\p{Cc}/u)
      assert.include(stdout, "ウェブ店舗␛[31m")
    }).pipe(Effect.provide(stage))
  )

  it.effect("prints CSV, and colours only where they are supported or forced", () =>
    Effect.gen(function* () {
      yield* fill
      const csv = yield* clicks(["stats", "--interval", "day", "--tz", "Europe/Berlin", "--format", "csv"])
      assert.strictEqual(csv.stdout, "day,clicks,visitors\r\n2026-10-24,5,\r\n2026-10-25,70,\r\n")
      const compared = ["--compare", "previous", "--from", "2026-10-25", "--before", "2026-10-26"]
      const steps = yield* clicks(["stats", "--funnel", "--format", "csv", ...compared])
      assert.match(steps.stdout, /^campaign_id,action,clicks,.*,previous_clicks\r\nspring,view,40,/)
      const args = ["stats", "--group-by", "source", ...compared]
      assert.notInclude((yield* clicks(args)).stdout, "\u001b")
      const forced = yield* clicks(args, { env: { FORCE_COLOR: "1" } })
      assert.include(forced.stdout, "\u001b[32m+1300.0%\u001b[39m")
      assert.include(forced.stdout, "\u001b[36m█")
      assert.match(forced.stderr, /^1 group\nCompared with 2026-10-24 00:00:00Z to 2026-10-24 23:59:59Z\n/)
    }).pipe(Effect.provide(stage))
  )

  it.effect("repeats the table with --watch until it is interrupted", () =>
    Effect.gen(function* () {
      yield* fill
      const { path } = yield* Folder
      const child = begin(["stats", "--group-by", "source", "--watch", "0.5"], yield* onTestDatabase, path)
      const outcome = outcomeOf(child)
      yield* Effect.callback<void>((resume) => {
        let printed = ""
        child.stdout?.on("data", (text: string) => {
          printed += text
          if (printed.split("source").length > 2) resume(Effect.void)
        })
      })
      child.kill("SIGINT")
      const { stdout } = yield* Effect.promise(() => outcome)
      assert.isAbove(stdout.match(/^web +75 /gm)?.length ?? 0, 1)
    }).pipe(Effect.provide(stage))
  )

  it.effect("names the invalid option", () =>
    Effect.gen(function* () {
      for (const [args, reason] of [
        [["--group-by", "colour"], /Allowed choices are action, product_id, /],
        [["--tz", "Mars"], /^clicks: --tz must be the name of a time zone/],
        [["--interval", "year"], /Allowed choices are hour, day, week, month/],
        [["--group-by", "action", "source", "store_id"], /^clicks: --group-by takes at most 2 values/],
        [["--compare", "previous"], /^clicks: --compare needs .*; give --from, and --before or --to\n/],
        [["--group-by", "source", "--sort", "change"], /^clicks: --sort change needs --compare\n/],
        [["--watch", "0"], /^clicks: --watch must be a number of seconds/],
        [["--funnel", "--interval", "day"], /cannot be used with/],
        [["--funnel", "--action", "view"], /cannot be used with/],
        [["--pairs", "--group-by", "source"], /cannot be used with/],
        [["--cohorts", "--limit", "5"], /'--cohorts' cannot be used with option '--limit <count>'/]
      ] as const) {
        const { code, stderr, stdout } = yield* clicks(["stats", ...args])
        assert.match(stderr, reason)
        assert.deepStrictEqual([code, stdout], [2, ""])
      }
    }).pipe(Effect.provide(stage))
  )
})
