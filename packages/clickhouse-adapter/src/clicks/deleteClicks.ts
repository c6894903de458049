import { Effect } from "effect"
import { type ClickHouse, ClickHouseError } from "../ClickHouse.ts"

/**
 * Deletes rows and returns when no replica has any of them. Does nothing if there are none.
 *
 * A mutation rewrites the parts that have such rows, with their projections. `delete from` would leave the projections as they
 * are, and dropping a partition could delete clicks that were inserted meanwhile.
 */
export const deleteClicks = Effect.fnUntraced(function* (
  { command, lines, onCluster, table }: ClickHouse["Service"],
  condition: string
) {
  const isThere = Effect.map(
    lines(`select 1 from ${table} where ${condition} limit 1`),
    (found) => found.length > 0
  )
  if (!(yield* isThere)) return
  yield* command(`alter table ${table} ${onCluster} delete where ${condition}`, { mutations_sync: "2" })
  if (yield* isThere)
    return yield* new ClickHouseError({ reason: "Failed", message: "ClickHouse did not delete all clicks" })
})
