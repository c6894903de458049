import { existsSync } from "node:fs"
import { join } from "node:path"
import * as SpoolSqlite from "@clicks/sql-adapter/clicks/SpoolSqlite"
import { Effect, Layer } from "effect"
import { Settings } from "../Settings.ts"

/** Where the spool is, and how large it may grow. */
export const options = Effect.map(
  Settings,
  ({ dataDir, spoolMaxBytes }): SpoolSqlite.SpoolSqliteOptions => ({
    directory: join(dataDir, "spool"),
    maxBytes: spoolMaxBytes
  })
)

/** Whether there is a spool; looking into one would make it. */
export const exists = Effect.map(options, ({ directory }) => existsSync(directory))

/** The spool in the data folder. */
export const layer = Layer.unwrap(Effect.map(options, SpoolSqlite.layer))
