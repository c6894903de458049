import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { Quarantine } from "@clicks/core/clicks/recording/Quarantine"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { clicks, Folder, onTestDatabase } from "../clicks.ts"
import { hasTerminals, inTerminal } from "../terminal.ts"
import { csvHeader, csvRows, stage, stored } from "./storedClicks.ts"

const summary = (read: number, imported: number, duplicates: number, rejected: number, quarantined = 0) => ({
  read,
  imported,
  duplicates,
  rejected,
  quarantined
})

const write = (name: string, content: string | Uint8Array) =>
  Effect.map(Folder, ({ path }) => {
    const file = join(path, name)
    writeFileSync(file, content)
    return file
  })

const records = [
  { product_id: "p-1", action: "view", source: "web", url_path: '/ä,"quoted"\nlines' },
  { product_id: "p-1", action: "view", source: "web", url_path: '/ä,"quoted"\nlines' },
  { product_id: "p-2", action: "compare", source: "web", visitor_lat: "33.45" }
]

const asCsv = (delimiter: string, lineEnd: string) =>
  [
    ["product_id", "action", "source", "url_path", "visitor_lat"],
    ...records.map(({ action, product_id, source, url_path, visitor_lat }) => [
      product_id,
      action,
      source,
      `"${(url_path ?? "").replaceAll('"', '""')}"`,
      visitor_lat ?? ""
    ])
  ]
    .map((cells) => cells.join(delimiter))
    .join(lineEnd)

describe("clicks import", () => {
  it.live("detects every format from the content and stores the same rows once", () =>
    Effect.gen(function* () {
      const ndjson = records.map((record) => JSON.stringify(record)).join("\n")
      const inputs: ReadonlyArray<string | Uint8Array> = [
        asCsv(",", "\n"),
        `\ufeff${asCsv(";", "\r\n")}`,
        asCsv("\t", "\n"),
        ndjson,
        gzipSync(ndjson),
        gzipSync(JSON.stringify(records, null, 2))
      ]
      for (const [index, input] of inputs.entries()) {
        const { code, stderr, stdout } = yield* clicks(["import", "-", "--json"], { input })
        assert.deepStrictEqual(
          JSON.parse(stdout),
          index === 0 ? summary(3, 3, 0, 0) : summary(3, 0, 3, 0),
          stderr
        )
        assert.strictEqual(code, 0)
      }
      const events = yield* stored
      assert.deepStrictEqual(events.map((event) => event.product_id).sort(), ["p-1", "p-1", "p-2"])
      assert.include(
        events.map((event) => event.url_path),
        '/ä,"quoted"\nlines'
      )
    }).pipe(Effect.provide(stage))
  )

  it.live("keeps the digits of JSON numbers that exceed a double", () =>
    Effect.gen(function* () {
      const rows = ["9007199254740993", "9007199254740992", "1e400", "1.10"].map(
        (id) => `{"product_id":"p-1","action":"view","source":"web","shop":${id},"user_id":${id}}`
      )
      for (const input of [rows.join("\n"), `[${rows.join(",\n")}]`]) {
        const { stderr, stdout } = yield* clicks(["import", "-", "--json", "--map", "store_id=shop"], {
          input
        })
        const isFirst = input.startsWith("{")
        assert.deepStrictEqual(JSON.parse(stdout), summary(4, isFirst ? 4 : 0, isFirst ? 0 : 4, 0), stderr)
      }
      for (const field of ["store_id", "user_id"] as const) {
        assert.deepStrictEqual((yield* stored).map((event) => event[field]).sort(), [
          "1.10",
          "1e400",
          "9007199254740992",
          "9007199254740993"
        ])
      }
    }).pipe(Effect.provide(stage))
  )

  it.live("adds only the new rows of a file that has grown", () =>
    Effect.gen(function* () {
      const short = csvHeader + csvRows(1, 5)
      yield* clicks(["import", "-"], { input: short })
      const { stdout } = yield* clicks(["import", "-", "--json"], { input: short + csvRows(1, 3) })
      assert.deepStrictEqual(JSON.parse(stdout), summary(8, 3, 5, 0))
      const named = yield* clicks(["import", "-", "--json", "--namespace", "other"], { input: short })
      assert.deepStrictEqual(JSON.parse(named.stdout), summary(5, 5, 0, 0))
    }).pipe(Effect.provide(stage))
  )

  it.live("maps the columns of other files with --map and --set", () =>
    Effect.gen(function* () {
      const file = yield* write(
        "raw.csv.gz",
        gzipSync("year;month;day;page 2 (clothing model);page\n2008;4;1;A13;1\n2008;4;13;B4;2\n")
      )
      const fitting = [
        "--map",
        "product_id=page 2 (clothing model)",
        "--map",
        "occurred_at={year}-{month:02}-{day:02}"
      ]
      const { code, stdout } = yield* clicks([
        ...["import", file, ...fitting, "--map", "url_path=/{page}/{page 2 (clothing model)}"],
        ...["--set", "action=view", "--set", "source=eshop"]
      ])
      assert.strictEqual(stdout, "read        2\nimported    2\nduplicates  0\nrejected    0\n")
      assert.strictEqual(code, 0)
      assert.deepStrictEqual(
        (yield* stored).map((event) => [
          event.product_id,
          event.occurred_at.toISOString(),
          event.url_path,
          event.source
        ]),
        [
          ["B4", "2008-04-13T00:00:00.000Z", "/2/B4", "eshop"],
          ["A13", "2008-04-01T00:00:00.000Z", "/1/A13", "eshop"]
        ]
      )
    }).pipe(Effect.provide(stage))
  )

  it.live("imports valid rows and writes invalid ones to a file that can be corrected and imported", () =>
    Effect.gen(function* () {
      const { path } = yield* Folder
      const rejects = join(path, "rejects.ndjson")
      const input = "sku,action,source\np-1,view,web\np-2,buy,web\np-3,view\n\u001b[31mp-4,view,\n"
      const first = yield* clicks(["import", "-", "--map", "product_id=sku", "--rejects", rejects], { input })
      assert.strictEqual(first.code, 3)
      assert.match(first.stdout, /^read +4\nimported +1\nduplicates +0\nrejected +3$/m)
      assert.match(first.stderr, /^line 3: action is required and must be one of/m)
      assert.match(first.stderr, /^line 4: has 2 cells, but the header has 3$/m)
      const lines = readFileSync(rejects, "utf8").trim().split("\n")
      assert.deepStrictEqual(
        lines.map((line) => JSON.parse(line)),
        [
          {
            sku: "p-2",
            action: "buy",
            source: "web",
            _line: 3,
            _reason: "action is required and must be one of: view, open_store, open_product, compare, other"
          },
          { _line: 4, _reason: "has 2 cells, but the header has 3", _text: "p-3,view" },
          {
            sku: "\u001b[31mp-4",
            action: "view",
            source: "",
            _line: 5,
            _reason: "source is required and must be a non-empty string"
          }
        ]
      )
      const mended = readFileSync(rejects, "utf8").replaceAll('"buy"', '"view"')
      const second = yield* clicks(["import", "-", "--map", "product_id=sku", "--json"], { input: mended })
      assert.deepStrictEqual(JSON.parse(second.stdout), summary(3, 1, 0, 2))
    }).pipe(Effect.provide(stage))
  )

  it.live("rejects a row with an invalid time instead of storing it with the current time", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* clicks(["import", "-", "--json"], {
        input:
          "product_id,action,source,occurred_at\np-1,view,web,01.11.2026 10:00\np-2,view,web,2026-11-01 10:00\n"
      })
      assert.strictEqual(code, 3)
      assert.deepStrictEqual(JSON.parse(stdout), summary(2, 1, 0, 1))
      assert.match(stderr, /^line 2: occurred_at is not an ISO 8601 date-time/m)
      const [event] = yield* stored
      assert.strictEqual(event?.product_id, "p-2")
    }).pipe(Effect.provide(stage))
  )

  it.live("stores a click without its invalid value and keeps the original row", () =>
    Effect.gen(function* () {
      const row = "p-1,view,web,north,2026-11-05T10:00:00Z"
      const { code, stderr, stdout } = yield* clicks(["import", "-"], {
        input: `product_id,action,source,visitor_lat,occurred_at\n${row}\n`
      })
      assert.strictEqual(code, 0)
      assert.match(stdout, /^with invalid values +1$/m)
      assert.match(stderr, /1 click with an invalid value/)
      const [event] = yield* stored
      const [kept] = yield* Quarantine.use((quarantine) => Effect.orDie(quarantine.list(10)))
      assert.isNull(event?.visitor_lat)
      assert.strictEqual(Buffer.from(kept?.original ?? []).toString(), row)
      assert.strictEqual(kept?.click_id, event?.id)
      assert.match(kept?.reason ?? "", /^visitor_lat is not a number$/)
    }).pipe(Effect.provide(stage))
  )

  it.live("validates without storing in a dry run, without a database", () =>
    Effect.gen(function* () {
      const env = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" }
      const input = `${csvHeader}${csvRows(1, 3)}p-4,buy,web,\n`
      const { code, stdout } = yield* clicks(["import", "-", "--dry-run", "--json"], { input, env })
      assert.deepStrictEqual(JSON.parse(stdout), { ...summary(4, 3, 0, 1), duplicates: null, dry_run: true })
      assert.strictEqual(code, 3)
      const table = yield* clicks(["import", "-", "--dry-run"], { input, env })
      assert.match(table.stdout, /^would be imported +3\nduplicates +not checked\nrejected +1$/m)
    }).pipe(Effect.provide(stage))
  )

  it.live.skipIf(!hasTerminals)("shows its progress in a terminal", () =>
    Effect.gen(function* () {
      const file = yield* write("clicks.csv", csvHeader + csvRows(1, 4000))
      const { code, stdout } = yield* inTerminal(["import", file], 80, yield* onTestDatabase)
      assert.match(stdout, /\d+% {2}[\d,]+ rows/)
      assert.match(stdout, /^imported +4,000\r$/m)
      assert.match(stdout, /\d\.\d s, [\d,]+ rows a second/)
      assert.strictEqual(code, 0)
    }).pipe(Effect.provide(stage))
  )
})
