import type { ClickAction } from "../../clicks/ClickEvent.ts"
import { actions } from "../../clicks/ClickFilter.ts"
import type { AnalyticsQuery } from "./AnalyticsQuery.ts"
import type { CountedRows, CountRow, Counts } from "./ClickCounts.ts"
import { compareRows } from "./rankRows.ts"

const addUp = (one: Counts, other: Counts): Counts => ({
  clicks: one.clicks + other.clicks,
  // A visitor may be in several slots.
  visitors: null,
  actions: Object.fromEntries(
    actions.map((action) => [action, one.actions[action] + other.actions[action]])
  ) as Record<ClickAction, number>
})

const addRows = (one: CountRow, other: CountRow): CountRow => ({
  keys: one.keys,
  slot: undefined,
  current: addUp(one.current, other.current),
  previous: addUp(one.previous, other.previous)
})

/** The top groups of a query grouped by action, without visitors, computed from the slots of all actions. */
export const topActions = (
  { limit, ranking }: Pick<AnalyticsQuery, "limit" | "ranking">,
  { overall, rows, unidentified }: CountedRows
): CountedRows => {
  const sums = new Map<string | null | undefined, CountRow>()
  for (const row of rows) {
    const sum = sums.get(row.keys[0])
    sums.set(row.keys[0], sum ? addRows(sum, row) : row)
  }
  const top = Array.from(sums.values()).sort(compareRows(ranking))
  return { rows: top.slice(0, limit), total: top.length, unidentified, overall }
}
