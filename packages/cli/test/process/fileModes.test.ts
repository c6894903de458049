import { chmodSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { stage } from "../clicks/storedClicks.ts"
import { clicks, Folder, folderLayer } from "../clicks.ts"
import { runService } from "../service/runningService.ts"

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

describe("created files", () => {
  it.live(
    "are readable by their owner only: exports and rejected rows; an overwritten file keeps its mode",
    () =>
      Effect.gen(function* () {
        const { path } = yield* Folder
        const input = '{"product_id":"p-1","action":"view","source":"web"}\n{"action":"view"}\n'
        assert.strictEqual((yield* clicks(["import", "-", "--rejects", "rejects.ndjson"], { input })).code, 3)
        assert.strictEqual(modeOf(join(path, "rejects.ndjson")), "600")
        for (const name of ["all.csv", "all.ndjson.gz"]) {
          assert.strictEqual((yield* clicks(["export", "--out", name])).code, 0)
          assert.strictEqual(modeOf(join(path, name)), "600")
        }
        chmodSync(join(path, "all.csv"), 0o640)
        yield* clicks(["export", "--force", "--out", "all.csv"])
        assert.strictEqual(modeOf(join(path, "all.csv")), "640")
      }).pipe(Effect.provide(stage))
  )

  it.live("are readable by their owner only: the spool while it holds clicks", () =>
    Effect.gen(function* () {
      const { path } = yield* Folder
      const data = join(path, "data")
      const { url } = yield* runService(["serve"], {
        DATABASE_URL: "postgres://clicks@127.0.0.1:9/clicks",
        CLICKS_DATA_DIR: data
      })
      const body = JSON.stringify({ product_id: "p-1", action: "view", source: "web" })
      const answer = yield* Effect.promise(() =>
        fetch(`${url}/api/events/product-click`, { method: "POST", body })
      )
      assert.strictEqual(answer.headers.get("click-receipt"), "spooled")
      assert.deepStrictEqual([modeOf(data), modeOf(join(data, "spool"))], ["700", "700"])
      const files = readdirSync(join(data, "spool"))
      assert.isNotEmpty(files)
      for (const name of files) assert.strictEqual(modeOf(join(data, "spool", name)), "600", name)
    }).pipe(Effect.provide(folderLayer))
  )

  it.live(
    "are readable by their owner only: the embedded database, and its server's user if run as root",
    () =>
      Effect.gen(function* () {
        const { path } = yield* Folder
        const data = join(path, "embedded")
        const { code } = yield* clicks(["migrate"], { env: { DATABASE_URL: "", CLICKS_DATA_DIR: data } })
        assert.strictEqual(code, 0)
        assert.include(readdirSync(data), "postgres")
        assert.strictEqual(modeOf(data), process.getuid?.() === 0 ? "711" : "700")
        for (const entry of readdirSync(data, { withFileTypes: true })) {
          assert.strictEqual(modeOf(join(data, entry.name)), entry.isDirectory() ? "700" : "600", entry.name)
        }
      }).pipe(Effect.provide(stage))
  )
})
