import { expect, it } from "vitest"
import { createTables } from "../src/createTables.ts"

it("syncs inserts and merges to disk", () => {
  const [, table = ""] = createTables({ database: "clicks" })
  for (const setting of ["fsync_after_insert", "fsync_part_directory", "min_rows_to_fsync_after_merge"])
    expect(table).toContain(`${setting} = 1`)
})

it("creates replicated tables on every server of a cluster", () => {
  const statements = createTables({ database: "clicks", cluster: "shop's `main`" })
  for (const statement of statements) expect(statement).toContain("on cluster `shop's \\`main\\``")
  expect(statements[1]).toContain(
    "engine = ReplicatedMergeTree('/clickhouse/tables/{database}/clicks', '{replica}')"
  )
})
