import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What was sent and could not be stored as it came. */
export const quarantinedClicks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table quarantined_clicks (
      click_id uuid not null,
      received_at timestamptz(3) not null,
      reason text not null,
      original bytea not null
    )`
  // One entry for a click and a reason, whatever the reason's length.
  yield* sql`create unique index quarantined_clicks_once
    on quarantined_clicks (click_id, hashtextextended(reason, 0))`
  yield* sql`create index quarantined_clicks_newest_first on quarantined_clicks (received_at desc, click_id desc)`
})
