import { existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import * as EmbeddedPostgres from "../../src/embedded/EmbeddedPostgres.ts"

export const pidFile = (dataDir: string) => join(dataDir, "postgres", "postmaster.pid")

/** Stops whatever a killed process left running in the data folder, and removes the folder. */
export const discard = (dataDir: string) =>
  Effect.gen(function* () {
    if (existsSync(pidFile(dataDir))) {
      yield* Effect.ignore(Effect.scoped(EmbeddedPostgres.acquire({ dataDir, settings: { fsync: "off" } })))
    }
    // Another test run may be removing the same abandoned folder.
    yield* Effect.ignore(Effect.try(() => rmSync(dataDir, { recursive: true, force: true })))
  })
