import { mkdtempSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createClient } from "@clickhouse/client"
import { Effect, Layer } from "effect"
import { describe, it } from "vitest"
import { ClickHouse, make } from "../src/ClickHouse.ts"

/** The folder of the package chdb, ClickHouse in this process. With 500 MB it is not installed by default; `npm run test:clickhouse` installs it. */
const folder = process.env["CHDB_FOLDER"]

/** Tests that need ClickHouse. */
export const withClickHouse = (suites: () => void): void => {
  describe.skipIf(folder === undefined)("on ClickHouse (needs `npm run test:clickhouse`)", () => {
    if (folder === undefined) it("is tested by `npm run test:clickhouse`", () => {})
    else suites()
  })
}

const connect = () => {
  const { createChdbConnection } = createRequire(join(folder ?? "", "package.json"))("chdb/connection")
  const path = mkdtempSync(join(tmpdir(), "clicks-chdb-"))
  process.once("exit", () => rmSync(path, { recursive: true, force: true }))
  return createClient({ connection: createChdbConnection({ path }) })
}

// A process can have only one data directory.
let client: ReturnType<typeof connect> | undefined
let databases = 0

/** An empty database. */
export const clickHouse: Layer.Layer<ClickHouse> = Layer.effect(
  ClickHouse,
  Effect.suspend(() => {
    client ??= connect()
    return make(client, { database: `test_${++databases}`, unsynced: true })
  })
)
