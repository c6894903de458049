import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The transaction that stored a click, so that those who follow new clicks can tell which have come since they last looked.
 * No time can tell that: transactions become visible in another order than they begin, and spooled clicks arrive late.
 */
export const clickArrivals = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Clicks that are here already count as stored by this transaction. The number stays the same for all of it, so the server notes
  // it once for all rows and writes none of them anew. The index is in `concurrentIndexes`; where this migration ran before, it is there.
  yield* sql`alter table clicks add column arrival xid8 not null default pg_current_xact_id()`
})
