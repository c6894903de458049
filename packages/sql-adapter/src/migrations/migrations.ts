import type { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { clicks } from "./0001_clicks.ts"
import { quarantinedClicks } from "./0002_quarantined_clicks.ts"
import { apiKeys } from "./0003_api_keys.ts"
import { stores } from "./0004_stores.ts"
import { trustedOrigins } from "./0005_trusted_origins.ts"
import { clickArrivals } from "./0006_click_arrivals.ts"
import { tasks } from "./0007_tasks.ts"
import { clickCounts } from "./0008_click_counts.ts"
import { clickRollup } from "./0009_click_rollup.ts"
import { clickTotals } from "./0010_click_totals.ts"
import { clickPairs } from "./0011_click_pairs.ts"
import { clickTally } from "./0012_click_tally.ts"

/** Changes of the schema by `<number>_<name>`. */
export type Migrations = Readonly<Record<string, Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient>>>

/**
 * All changes of the schema, in order. One that was released never changes and none is put before it: what is wrong with it
 * is put right by the next one. Each statement is a template of its own. Each change is a transaction, which holds its locks to its end:
 * on a table that may be full it makes no index (those are in `concurrentIndexes`) and rewrites no row.
 */
export const migrations: Migrations = {
  "0001_clicks": clicks,
  "0002_quarantined_clicks": quarantinedClicks,
  "0003_api_keys": apiKeys,
  "0004_stores": stores,
  "0005_trusted_origins": trustedOrigins,
  "0006_click_arrivals": clickArrivals,
  "0007_tasks": tasks,
  "0008_click_counts": clickCounts,
  "0009_click_rollup": clickRollup,
  "0010_click_totals": clickTotals,
  "0011_click_pairs": clickPairs,
  "0012_click_tally": clickTally
}
