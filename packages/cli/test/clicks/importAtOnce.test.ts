import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Uuid from "@clicks/core/values/Uuid"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { clicks, Folder } from "../clicks.ts"
import { stage, stored } from "./storedClicks.ts"

const header = "id,product_id,action,source\n"
const rows = Array.from(
  { length: 9000 },
  (_, index) => `${Uuid.make(Date.UTC(2026, 0, 1) + index)},p-${index},view,web\n`
)

const csv = (lines: ReadonlyArray<string>) => header + lines.join("")

const storedProducts = Effect.map(stored, (events) => events.map(({ product_id }) => product_id).sort())

describe("clicks import of many rows", () => {
  it.live("stores each row once when overlapping files are imported at the same time", () =>
    Effect.gen(function* () {
      const files = [rows.slice(0, 6000), rows.slice(3000).toReversed(), rows.slice(0, 6000).toReversed()]
      const outcomes = yield* Effect.forEach(
        files,
        (file) => clicks(["import", "-", "--json"], { input: csv(file) }),
        { concurrency: "unbounded" }
      )
      for (const { code, stderr } of outcomes) assert.deepStrictEqual([code, stderr], [0, ""])
      const counts = outcomes.map(({ stdout }) => JSON.parse(stdout))
      const sum = (name: string) => counts.reduce((total, each) => total + each[name], 0)
      assert.deepStrictEqual([sum("imported"), sum("duplicates")], [9000, 9000])
      assert.deepStrictEqual(yield* storedProducts, rows.map((_, index) => `p-${index}`).sort())
    }).pipe(Effect.provide(stage))
  )

  it.live("writes rows that the database rejects to the rejects, and stores the rows around them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { path } = yield* Folder
      const rejects = join(path, "rejects.ndjson")
      const file = join(path, "some.csv")
      yield* sql`alter table clicks add check (product_id not in ('p-700', 'p-4100'))`
      writeFileSync(file, csv(rows.slice(0, 5000)))
      const { code, stderr, stdout } = yield* clicks(["import", file, "--json", "--rejects", rejects])
      assert.strictEqual(code, 3, stderr)
      assert.deepInclude(JSON.parse(stdout), { read: 5000, imported: 4998, duplicates: 0, rejected: 2 })
      assert.deepStrictEqual(
        readFileSync(rejects, "utf8")
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
          .map(({ _line, _reason, action, product_id }) => [_line, _reason, action, product_id]),
        [
          [702, "was rejected by the database", "view", "p-700"],
          [4102, "was rejected by the database", "view", "p-4100"]
        ]
      )
      assert.lengthOf(yield* storedProducts, 4998)
    }).pipe(Effect.provide(stage))
  )
})
