import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { Readable } from "node:stream"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { begin, clicks, Folder, folderLayer, outcomeOf } from "../clicks.ts"
import { csvHeader, csvRows, stage } from "./storedClicks.ts"

/** Imports a stream without storing it. */
const dryRun = (input: Iterable<string | Uint8Array>) =>
  Effect.gen(function* () {
    const { path } = yield* Folder
    return yield* Effect.promise(() => {
      const child = begin(["import", "-", "--dry-run", "--json"], {}, path)
      if (child.stdin !== null) Readable.from(input).pipe(child.stdin)
      return outcomeOf(child)
    })
  })

const mebibyte = Buffer.alloc(1024 * 1024, "x")

describe("clicks import", () => {
  // Longer than any string of V8 can be.
  it.live("rejects a line of 600 MiB and imports the rows after it", () =>
    Effect.gen(function* () {
      const { code, stderr, stdout } = yield* dryRun(
        (function* () {
          yield `${csvHeader}p-0,view,web,\n`
          for (let count = 0; count < 600; count++) yield mebibyte
          yield "\n"
          for (let count = 0; count < 10; count++) yield csvRows(1, 2000)
        })()
      )
      assert.strictEqual(code, 3, stderr)
      assert.deepInclude(JSON.parse(stdout), { read: 20_002, imported: 20_001, rejected: 1 })
      assert.match(stderr, /^line 3: is longer than 2 MiB$/m)
    }).pipe(Effect.provide(folderLayer))
  )
})

const sample = process.env["CLICKS_SAMPLE_DATA"]
const file = resolve(sample ?? "", "eshop-2008-clicks.csv.gz")

describe.skipIf(sample === undefined || !existsSync(file))("the clicks of a real shop", () => {
  it.live("are imported to the last one", () =>
    Effect.gen(function* () {
      const { code, stdout } = yield* clicks(["import", file, "--json"])
      assert.deepInclude(JSON.parse(stdout), { read: 165_474, imported: 165_474, rejected: 0 })
      assert.strictEqual(code, 0)
      const page = yield* clicks(["list", "--json", "--source", "eshop-2008", "--limit", "1"])
      assert.deepInclude(JSON.parse(page.stdout), { total: 165_474 })
    }).pipe(Effect.provide(stage))
  )
})
