import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { clicks, Folder, onTestDatabase } from "../clicks.ts"
import { commandLine, shell } from "../terminal.ts"
import { csvHeader, csvRows, stage, stored } from "./storedClicks.ts"

const everything = {
  id: "019aa0d2-5c00-7000-8000-5f2b0c9d1e3a",
  event_type: "product_click" as const,
  product_id: '=1+1,"quoted"\r\n\tlines ',
  action: "compare" as const,
  source: "'@sum 名前 😀",
  store_id: "0",
  brand_id: "-5",
  campaign_id: "'",
  dispensary_name: "''=x",
  page_type: "' =x",
  url_path: `\u001b[31m/ä\u0085${"\n".repeat(1200)}p-1,view,forged\n`,
  visitor_city: "\n' ＝1",
  visitor_state: "AZ",
  visitor_lat: -33.448376999999,
  visitor_lng: 1e-7,
  visitor_id: "=v 😀",
  session_id: "s-1",
  user_id: "u-1",
  ip_address: "2001:db8::1",
  user_agent: "Mozilla/5.0 (iPad; x)",
  device_type: "desktop" as const,
  occurred_at: new Date("0001-01-01T00:00:00.001Z"),
  received_at: new Date("2026-11-20T10:00:00.123Z"),
  client_occurred_at: new Date("9999-12-31T23:59:59.999Z")
}

const emptied = {
  ...everything,
  id: "019aa0d2-5c00-7000-8000-5f2b0c9d1e3b",
  ...{
    store_id: null,
    brand_id: null,
    campaign_id: null,
    dispensary_name: null,
    page_type: null,
    url_path: null
  },
  ...{ visitor_city: null, visitor_state: null, visitor_lat: null, visitor_lng: null, user_id: null },
  ...{ visitor_id: null, session_id: null },
  ...{ ip_address: null, user_agent: null, device_type: "tablet" as const, client_occurred_at: null }
}

describe("clicks export", () => {
  it.live("writes files that import reads back without loss, in each format", () =>
    Effect.gen(function* () {
      const { path } = yield* Folder
      yield* ClickStore.use((store) => store.insert([everything, emptied]))
      for (const name of ["all.csv", "all.ndjson.gz"]) {
        const exported = yield* clicks(["export", "--out", name])
        assert.deepStrictEqual(
          [exported.code, exported.stdout, exported.stderr],
          [0, "", `2 clicks in ${name}\n`]
        )
        yield* Effect.gen(function* () {
          const { code } = yield* clicks(["import", join(path, name)])
          assert.strictEqual(code, 0)
          assert.deepStrictEqual(yield* stored, [emptied, everything])
        }).pipe(Effect.provide(stage))
      }
      assert.strictEqual(
        gunzipSync(readFileSync(join(path, "all.ndjson.gz")))
          .toString()
          .split("\n").length,
        3
      )
    }).pipe(Effect.provide(stage))
  )

  it.live("ends quietly when the reader closes the pipe", () =>
    Effect.gen(function* () {
      yield* clicks(["import", "-"], { input: csvHeader + csvRows(1, 5000) })
      const env = yield* onTestDatabase
      const { stderr, stdout } = yield* shell(
        `{ ${commandLine(["export"])}; echo "code $?" >&2; } | head -1`,
        env
      )
      assert.match(stdout, /^\{"id":"[^\n]+\}\n$/)
      assert.strictEqual(stderr, "code 0\n")
    }).pipe(Effect.provide(stage))
  )

  it.live("leaves the old file unchanged when the new one cannot be written completely", () =>
    Effect.gen(function* () {
      yield* clicks(["import", "-"], { input: csvHeader + csvRows(1, 2000) })
      const { path } = yield* Folder
      const env = yield* onTestDatabase
      writeFileSync(join(path, "clicks.ndjson"), "as it was")
      // A limit on file sizes makes a write fail, as a full disk does.
      const { code, stderr } = yield* shell(
        `ulimit -f 8; ${commandLine(["export", "--force", "--out", "clicks.ndjson"])}`,
        env
      )
      assert.match(stderr, /^clicks: clicks\.ndjson cannot be written: file too large\n$/)
      assert.strictEqual(code, 1)
      assert.strictEqual(readFileSync(join(path, "clicks.ndjson"), "utf8"), "as it was")
      assert.deepStrictEqual(readdirSync(path), ["clicks.ndjson"])
    }).pipe(Effect.provide(stage))
  )

  it.live("overwrites a file only if it is empty or with --force", () =>
    Effect.gen(function* () {
      const file = join((yield* Folder).path, "clicks.csv")
      const exported = (...args: ReadonlyArray<string>) => clicks(["export", "--out", "clicks.csv", ...args])
      writeFileSync(file, "as it was")
      const { code, stderr } = yield* exported()
      assert.deepStrictEqual(
        [code, stderr],
        [2, "clicks: clicks.csv already exists. Use --force to overwrite it\n"]
      )
      assert.strictEqual(readFileSync(file, "utf8"), "as it was")
      assert.strictEqual((yield* exported("--force")).code, 0)
      assert.match(readFileSync(file, "utf8"), /^id,event_type/)
      writeFileSync(file, "")
      assert.strictEqual((yield* exported()).code, 0)
    }).pipe(Effect.provide(stage))
  )

  it.live("rejects a --format that does not match the extension of the file", () =>
    Effect.gen(function* () {
      const { path } = yield* Folder
      for (const [format, out] of [
        ["csv", "clicks.json"],
        ["csv", "clicks.NDJSON.gz"],
        ["ndjson", "clicks.csv"]
      ] as const) {
        const { code, stderr } = yield* clicks(["export", "--format", format, "--out", out])
        assert.strictEqual(
          stderr,
          `clicks: --format ${format} does not match the extension of --out ${out}. Change one of them\n`
        )
        assert.strictEqual(code, 2)
      }
      assert.deepStrictEqual(readdirSync(path), [])
      for (const [format, out] of [
        ["csv", "clicks.txt"],
        ["csv", "clicks"],
        ["ndjson", "clicks.json"]
      ] as const)
        assert.strictEqual((yield* clicks(["export", "--format", format, "--out", out])).code, 0)
    }).pipe(Effect.provide(stage))
  )

  it.live("replaces the target of a link, and rejects targets other than files", () =>
    Effect.gen(function* () {
      const { path } = yield* Folder
      writeFileSync(join(path, "real.csv"), "old")
      symlinkSync("real.csv", join(path, "link.csv"))
      const { stdout } = yield* clicks([
        "export",
        "--force",
        "--out",
        "link.csv",
        "--json",
        "--source",
        "none"
      ])
      assert.deepStrictEqual(JSON.parse(stdout), { exported: 0, out: "link.csv" })
      assert.match(readFileSync(join(path, "real.csv"), "utf8"), /^id,event_type/)
      for (const extension of [".xlsx", ".json"]) {
        const sheet = yield* clicks(["export", "--out", `sheet${extension}`])
        assert.strictEqual(
          sheet.stderr,
          `clicks: Unsupported extension ${extension}. Use --format csv or --format ndjson\n`
        )
        assert.strictEqual(sheet.code, 2)
        assert.isFalse(existsSync(join(path, `sheet${extension}`)))
      }
      const nowhere = yield* clicks(["export", "--out", "none/clicks.csv"])
      assert.strictEqual(
        nowhere.stderr,
        "clicks: none/clicks.csv cannot be written: no such file or directory\n"
      )
      assert.strictEqual(nowhere.code, 1)
      const refused = yield* clicks(["export", "--out", "/dev/null"])
      assert.match(refused.stderr, /\/dev\/null exists and is not a file/)
      assert.strictEqual(refused.code, 2)
      assert.isTrue(existsSync("/dev/null"))
    }).pipe(Effect.provide(stage))
  )
})
