import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as ClickRollup from "../../src/clicks/ClickRollup.ts"

/** Counts every click. Transactions of other tests on this server can hold a step back, so a step that counts none may not be the last. */
export const countAll = SqlClient.SqlClient.use((sql) =>
  Effect.andThen(
    ClickRollup.rollUp(),
    sql<{ readonly left: boolean }>`
      select exists (select from clicks where arrival >= (select arrival from click_rollup)) as left`
  )
).pipe(Effect.repeat({ until: ([row]) => row?.left === false }))
