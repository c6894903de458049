import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { queueName, schema } from "../../tasks/queueName.ts"

// pg-boss returns its schema as one text of many statements with a transaction of its own; here it is part of ours. It is imported on use because
// every command imports the migrations, few run them, and pg-boss takes 50 ms and 24 MB.
const construction = Effect.promise(async () => {
  const { getConstructionPlans } = await import("pg-boss-baseline")
  return getConstructionPlans(schema)
    .replace(/^\s*BEGIN;/, "")
    .replace(/COMMIT;\s*$/, "")
})

// pg-boss's own retries, delays, supervision and retention are off; `@clicks/core/tasks` has these rules. With `retryLimit` 0 a failure is final
// until the queue grants another attempt. A year is the longest that pg-boss keeps a waiting task.
const options = {
  policy: "standard",
  retryLimit: 0,
  expireInSeconds: 86_400,
  retentionSeconds: 365 * 86_400,
  deleteAfterSeconds: 0
}

/**
 * Tasks, stored in pg-boss's schema, and crawl schedules. `pg-boss-baseline` is pg-boss at the version that this migration was written for, so that
 * raising `pg-boss` changes nothing here. It needs a migration that runs pg-boss's `getMigrationPlans`.
 */
export const tasks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(`do $clicks$ begin execute $plans$${yield* construction}$plans$; end $clicks$`)
  yield* sql`select pgboss.create_queue(${queueName}, ${JSON.stringify(options)}::jsonb)::text`
  // These four indexes cost 3 %: 3,950 instead of 4,060 empty tasks/s, five at a time, best of six runs of 5,000.
  yield* sql`create index tasks_in_listing_order on pgboss.job_common (created_on desc, id desc)`
  yield* sql`create index tasks_by_state on pgboss.job_common (state, created_on desc, id desc)
    where state <> 'completed'`
  yield* sql`create index tasks_by_batch on pgboss.job_common ((data ->> 'batch_id'))
    where data ->> 'batch_id' is not null`
  yield* sql`create index tasks_crawling on pgboss.job_common ((data -> 'payload' ->> 'store_id'))
    where group_id = 'store-crawl' and state < 'completed'`
  yield* sql`
    create table crawl_schedules (
      store_id text collate "C" primary key check (char_length(store_id) between 1 and 255),
      interval_minutes integer not null check (interval_minutes between 1 and 1440),
      enabled boolean not null,
      priority integer not null,
      last_run_at timestamptz(3),
      next_run_at timestamptz(3),
      updated_at timestamptz(3) not null,
      check (enabled = (next_run_at is not null))
    )`
  yield* sql`create index crawl_schedules_due on crawl_schedules (next_run_at) where next_run_at is not null`
})
