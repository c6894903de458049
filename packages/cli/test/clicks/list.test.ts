import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import stringWidth from "string-width"
import { clicks, onTestDatabase } from "../clicks.ts"
import { hasTerminals, inTerminal } from "../terminal.ts"
import { csvHeader, csvRows, stage } from "./storedClicks.ts"

const hostile = "\u001b[31mred\u001b[0m\u0007\u009b2J\u202eevil\r\nx"

const fill = Effect.gen(function* () {
  const record = {
    product_id: hostile,
    action: "open_product",
    source: "ウェブ店舗のとても長い名前",
    campaign_id: "c".repeat(100),
    url_path: "/p"
  }
  yield* clicks(["import", "-"], { input: JSON.stringify(record) })
  yield* clicks(["import", "-"], { input: csvHeader + csvRows(1, 150) })
})

const isRaw = (text: string) => /(?!\n)[\p{Cc}\u202e]/u.test(text)

describe("clicks list", () => {
  it.live("shows a page in each format, and the total", () =>
    Effect.gen(function* () {
      yield* fill
      const table = yield* clicks(["list", "--source", "web", "--limit", "3"])
      const lines = table.stdout.trim().split("\n")
      assert.strictEqual(lines.length, 4)
      assert.match(lines[0] ?? "", /^occurred_at +action +product_id +source/)
      assert.match(lines[1] ?? "", /^2026-11-28 00:00:00Z +view +p-\d+ +web/)
      assert.match(table.stderr, /^3 of 150 clicks\nNext page:\n +--cursor \S+\n$/)

      const page = yield* clicks(["list", "--source", "web", "--limit", "2", "--json"])
      const { events, next_cursor, ...numbers } = JSON.parse(page.stdout)
      assert.deepStrictEqual(numbers, { total: 150, limit: 2, offset: 0 })
      assert.strictEqual(events[0].event_type, "product_click")
      assert.strictEqual(page.stderr, "")
      const next = yield* clicks([
        "list",
        "--source",
        "web",
        "--limit",
        "1",
        "--cursor",
        next_cursor,
        "--format",
        "ndjson"
      ])
      assert.strictEqual(next.stdout.trim().split("\n").length, 1)
      assert.notInclude(
        events.map((event: { readonly id: string }) => event.id),
        JSON.parse(next.stdout).id
      )

      const instant = yield* clicks(["list", "--from", "2026-11", "--to", "2026-11"])
      assert.match(instant.stderr, /^clicks: --to 2026-11 means .* with --before\n/)

      const visitor = { visitor_id: "v-1", session_id: "s-1", visitor_state: "AZ", visitor_city: "New York" }
      const place = { page_type: "search", device_type: "tablet" }
      const visit = { product_id: "p", action: "view", source: "sdk", ...visitor, ...place }
      yield* clicks(["import", "-"], { input: JSON.stringify(visit) })
      for (const filter of [
        ["--visitor-id", "v-1"],
        ["--session-id", "s-1"],
        ["--device-type", "tablet", "--page-type", "search"],
        ["--visitor-state", "AZ", "--visitor-city", "New York"]
      ]) {
        const found = JSON.parse((yield* clicks(["list", ...filter, "--json"])).stdout)
        assert.deepStrictEqual([found.total, found.events[0].source], [1, "sdk"])
      }

      const none = yield* clicks(["list", "--from", "2030-01-01", "--format", "csv"])
      assert.match(none.stdout, /^id,event_type,product_id,[^\n]*client_occurred_at\r\n$/)
    }).pipe(Effect.provide(stage))
  )

  it.live("shows times in the time zone of --tz with its offset, only in the table", () =>
    Effect.gen(function* () {
      const times = ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"]
      const rows = times.map((time) => `p-1,view,web,${time}\n`)
      yield* clicks(["import", "-"], { input: `product_id,action,source,occurred_at\n${rows.join("")}` })
      const listed = (tz: string, ...more: ReadonlyArray<string>) =>
        Effect.map(clicks(["list", "--tz", tz, ...more]), ({ stdout }) => stdout)
      const timesIn = (tz: string) => Effect.map(listed(tz), (stdout) => stdout.match(/^[\d-]+ [\d:]+\S+/gm))
      assert.deepStrictEqual(yield* timesIn("Europe/Paris"), [
        "2026-10-25 02:30:00+01:00",
        "2026-10-25 02:30:00+02:00"
      ])
      assert.deepStrictEqual(yield* timesIn("america/st_johns"), [
        "2026-10-24 23:00:00-02:30",
        "2026-10-24 22:00:00-02:30"
      ])
      assert.deepStrictEqual(yield* timesIn("utc"), ["2026-10-25 01:30:00Z", "2026-10-25 00:30:00Z"])
      assert.include(yield* listed("Europe/Paris", "--format", "csv"), "2026-10-25T00:30:00.000Z")
      assert.match(
        yield* listed("Europe/Paris", "--from", "2026-10-25 02:30:00+01:00"),
        /^occurred_at[^\n]+\n2026-10-25 02:30:00\+01:00[^\n]+\n$/
      )
    }).pipe(Effect.provide(stage))
  )

  it.live.skipIf(!hasTerminals)("fits the terminal and makes control characters visible", () =>
    Effect.gen(function* () {
      yield* fill
      const env = yield* onTestDatabase
      for (const columns of [80, 200]) {
        const { stdout } = yield* inTerminal(["list", "--action", "open_product"], columns, env)
        const lines = stdout.replaceAll("\r\n", "\n").split("\n")
        assert.isFalse(lines.some(isRaw), JSON.stringify(stdout))
        assert.isTrue(lines.every((line) => stringWidth(line) <= columns))
        const shown = ["occurred_at", "action", "product_id", "source", "campaign_id"]
        for (const column of shown) assert.include(lines[0], column)
        assert.include(lines[1], columns === 80 ? "␛[31mr" : "␛[31mred␛[0m␇\\u009b2J\\u202e")
      }
      for (const format of ["json", "ndjson", "csv"]) {
        const { stdout } = yield* inTerminal(
          ["list", "--action", "open_product", "--format", format],
          80,
          env
        )
        assert.isFalse(isRaw(stdout.replaceAll("\r\n", "\n")), JSON.stringify(stdout))
      }
      const { stdout } = yield* inTerminal(["list", "--action", "open_product", "--json"], 80, env)
      assert.strictEqual(
        JSON.parse(stdout.slice(0, stdout.lastIndexOf("}") + 1)).events[0].product_id,
        hostile
      )
    }).pipe(Effect.provide(stage))
  )

  it.live("names the invalid option", () =>
    Effect.gen(function* () {
      for (const [option, value, reason, ...more] of [
        ["--limit", "0", /--limit must be a whole number, from 1 to 1000/],
        ["--from", "last week", /--from must be an ISO 8601 date .*; it is "last week"\. Also valid: .* 7d/],
        ["--cursor", "x", /^clicks: --cursor and --offset cannot be combined; give one\b/, "--offset", "3"],
        ["--action", "buy", /Allowed choices are view, open_store, open_product, compare, other/],
        ["--source", "", /The value is empty/],
        ["--from", "2026-11-22", /--from 2026-11-22 is after --to 2026-11-01/, "--to", "2026-11-01"],
        ["--from", "2026-11", /--from 2026-11 must be earlier than --before 2026-11/, "--before", "2026-11"],
        ["--before", "today", /--tz must be the name of a time zone.*; it is "Mars"/, "--tz", "Mars"],
        ["--format", "xml", /argument 'xml' is invalid. Allowed choices are table, json, ndjson, csv/]
      ] as const) {
        const { code, stderr, stdout } = yield* clicks(["list", option, value, ...more])
        assert.match(stderr, reason)
        assert.strictEqual(stdout, "")
        assert.strictEqual(code, 2)
      }
    }).pipe(Effect.provide(stage))
  )
})
