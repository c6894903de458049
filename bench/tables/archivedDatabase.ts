import { Duration, Effect, Redacted } from "effect"
import { HotBatches } from "../../packages/core/src/clicks/tiers/HotBatches.ts"
import * as ArchiveSwitch from "../../packages/sql-adapter/src/clicks/archive/ArchiveSwitch.ts"
import * as HotBatchesSql from "../../packages/sql-adapter/src/clicks/archive/HotBatchesSql.ts"
import * as Database from "../../packages/sql-adapter/src/Database.ts"
import type { PostgresServer } from "../processes/PostgresServer.ts"

// Does what a mover does when the archive has caught up: drops the indexes and counts that only a full table needs.
const prepare = ArchiveSwitch.enable.pipe(
  Effect.andThen(HotBatches.use((batches) => batches.begin(Duration.minutes(1)))),
  Effect.andThen(ArchiveSwitch.shrink),
  Effect.provide(HotBatchesSql.layer)
)

/** An empty database whose older clicks are in an archive. */
export const createArchived = async (postgres: PostgresServer, name: string): Promise<string> => {
  const url = await postgres.createMigrated(name)
  await Effect.runPromise(Effect.provide(prepare, Database.layer({ url: Redacted.make(url) })))
  return url
}
