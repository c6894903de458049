import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { bare, clicks, Folder, folderLayer, type Outcome } from "../clicks.ts"
import { csvHeader, csvRows, stage, stored } from "./storedClicks.ts"

const write = (name: string, content: string | Uint8Array) =>
  Effect.map(Folder, ({ path }) => {
    const file = join(path, name)
    writeFileSync(file, content)
    return file
  })

/** Expects one line with the problem on standard error and nothing on standard output. */
const assertRefused = (outcome: Outcome, code: number, reason: RegExp) => {
  assert.match(outcome.stderr, reason)
  assert.match(outcome.stderr, /^clicks: [^\n]+\n$/)
  assert.strictEqual(outcome.stdout, "")
  assert.strictEqual(outcome.code, code)
}

describe("clicks import rejects in one line", () => {
  it.live("a missing file, a directory or an unsupported format", () =>
    Effect.gen(function* () {
      const { path } = yield* Folder
      mkdirSync(join(path, "folder"))
      assertRefused(
        yield* bare(["import", "none.csv"]),
        1,
        /^clicks: none.csv cannot be read: no such file or directory\n/
      )
      assertRefused(yield* bare(["import", "folder"]), 1, /^clicks: folder cannot be read: .* directory\n/)
      const image = yield* write(
        "image.csv",
        Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0])
      )
      assertRefused(yield* bare(["import", image]), 1, /is binary data; expected CSV/)
    }).pipe(Effect.provide(folderLayer))
  )

  it.live("an invalid value of --set, before it reads the file", () =>
    Effect.gen(function* () {
      for (const [set, reason] of [
        ["action=buy", /--set action must be one of: view, .*; it is buy\n/],
        ["device_type=watch", /--set device_type must be one of: .*; it is watch\n/],
        ["occurred_at=soon", /--set occurred_at must be an ISO 8601 date-time, .*; it is soon\n/],
        ["received_at=soon", /--set received_at must be an ISO 8601 date-time/]
      ] as const)
        assertRefused(yield* bare(["import", "none.csv", "--set", set]), 2, reason)
    }).pipe(Effect.provide(folderLayer))
  )

  it.live("a time to wait that is not a whole number of seconds", () =>
    Effect.gen(function* () {
      for (const seconds of ["-5", "0.5", "1e9", "1000000"]) {
        const { code, stderr } = yield* bare(["import", "none.csv", "--retry-for", seconds])
        assert.match(stderr, /'--retry-for .* Expected a whole number of seconds, at most 999999\.\n/)
        assert.strictEqual(code, 2)
      }
    }).pipe(Effect.provide(folderLayer))
  )

  it.live("a file without a required column, and a mapping that does not fit", () =>
    Effect.gen(function* () {
      const file = yield* write("shop.csv", "sku;action;source\np-1;view;web\n")
      assertRefused(
        yield* bare(["import", file]),
        1,
        /missing column product_id\. Use --map product_id=<column> .* Columns in the file: sku, action, source/
      )
      assertRefused(
        yield* bare(["import", file, "--map", "product_id=skuu"]),
        2,
        /unknown column skuu\. Columns in the file: sku/
      )
      assertRefused(
        yield* bare(["import", file, "--map", "product_id=sku", "--map", "store_id=stroe"]),
        2,
        /--map store_id: unknown column stroe\. Columns in the file: sku/
      )
      assertRefused(
        yield* bare(["import", file, "--map", "product=sku"]),
        2,
        /unknown field product\. Fields: id, /
      )
      assertRefused(
        yield* bare(["import", file, "--map", "product_id=sku", "--rejects", file, "--dry-run"]),
        2,
        /would overwrite the input file/
      )
    }).pipe(Effect.provide(folderLayer))
  )
})

describe("clicks import accepts", () => {
  it.live("a file without rows", () =>
    Effect.gen(function* () {
      for (const content of ["", csvHeader, "[]"]) {
        const file = yield* write("empty", content)
        const { code, stderr, stdout } = yield* bare(["import", file, "--json", "--dry-run"])
        assert.match(stderr, content === "" ? /is empty/ : /has no rows/)
        assert.strictEqual(JSON.parse(stdout).read, 0)
        assert.strictEqual(code, 0)
      }
    }).pipe(Effect.provide(folderLayer))
  )

  it.live(
    "the complete rows of a file that is cut off, reports the line, and accepts the whole file later",
    () =>
      Effect.gen(function* () {
        const text = csvHeader + csvRows(1, 8_000)
        const packed = gzipSync(text)
        const cut = yield* clicks(["import", "-"], { input: packed.subarray(0, packed.length >> 1) })
        assert.strictEqual(cut.code, 1)
        const [, rows = "", line = ""] =
          /([\d,]+) rows processed, up to line ([\d,]+)\./.exec(cut.stderr) ?? []
        const number = (digits: string) => Number(digits.replaceAll(",", ""))
        assert.match(
          cut.stderr,
          /Standard input is incomplete or damaged: its gzip data is damaged or cut off .* rows that are already stored are skipped/
        )
        assert.strictEqual(number(line), number(rows) + 1)
        assert.isAbove(number(rows), 2_000)
        const before = yield* stored
        assert.strictEqual(before.length, number(rows))
        assert.isTrue(before.every((event) => /^p-\d+$/.test(event.product_id)))

        const whole = yield* clicks(["import", "-", "--json"], { input: packed })
        assert.strictEqual(whole.code, 0)
        assert.strictEqual(JSON.parse(whole.stdout).duplicates, number(rows))
        const products = new Set((yield* stored).map((event) => event.product_id))
        assert.strictEqual(products.size, 8_000)

        const array = '[{"product_id":"a-1","action":"view","source":"web"},{"product_id":"a-'
        const half = yield* clicks(["import", "-", "--json"], { input: array })
        assert.strictEqual(half.code, 1)
        assert.strictEqual(JSON.parse(half.stdout).imported, 1)
        assert.match(half.stderr, /the JSON array is not closed; it ends on line 1\. 1 row processed, /)
      }).pipe(Effect.provide(stage))
  )
})
