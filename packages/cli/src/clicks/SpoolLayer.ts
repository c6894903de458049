import { existsSync } from "node:fs"
import { join } from "node:path"
import * as SpoolLog from "@clicks/sql-adapter/clicks/SpoolLog"
import { Effect, Layer } from "effect"
import { Settings } from "../settings/Settings.ts"

/** The folder and the maximum size of the spool. */
export const options = Effect.map(Settings, ({ dataDir, spoolMaxBytes }) => {
  return { directory: join(dataDir, "spool"), maxBytes: spoolMaxBytes }
})

/** Whether there is a spool. */
export const exists = Effect.map(options, ({ directory }) => existsSync(directory))

/** The spool in the data folder. */
export const layer = Layer.unwrap(Effect.map(options, SpoolLog.layer))
