import { Effect } from "effect"
import { groupedBy } from "../../values/groupedBy.ts"
import { maxLimit } from "../analyticsParameters.ts"
import type { ClickAnalyticsError, Unidentified } from "../ClickAnalyticsError.ts"
import { elapsedPart } from "../Comparison.ts"
import type { CountRow, CountRows } from "../groups/ClickCounts.ts"
import { type Funnels, funnelActions, toSteps } from "./Funnel.ts"
import type { FunnelQuery } from "./FunnelQuery.ts"

const ranking = { sort: "total", descending: true, without: [] } as const

/** Converts the rows of one funnel to its steps. There is one row per action; the action is its last key. */
const stepsOf = (rows: ReadonlyArray<CountRow>, { earlier, visitors }: FunnelQuery) => {
  const none = { clicks: 0, visitors: visitors ? 0 : null }
  const stepsIn = (period: "current" | "previous") =>
    toSteps((action) => rows.find(({ keys }) => keys.at(-1) === action)?.[period] ?? none)
  return { ...stepsIn("current"), ...(earlier && { previous: stepsIn("previous") }) }
}

/** Executes a query: counts the top funnels, then their actions, then all actions. */
export const countFunnels = Effect.fnUntraced(function* (
  asked: FunnelQuery,
  count: CountRows
): Effect.fn.Return<Funnels & Unidentified, ClickAnalyticsError> {
  const earlier = yield* elapsedPart(asked)
  const query = { ...asked, ...(earlier && { earlier }) }
  const { filter, groupBy, limit, totals, visitors } = query
  const request = { filter, ...(earlier && { earlier }), actions: funnelActions, visitors }
  const fields = [groupBy]
  const top = yield* count({ ...request, fields, visitors: false, ranking, limit })
  const only = top.rows.map(({ keys }) => keys)
  const most = maxLimit * funnelActions.length
  const { rows } =
    only.length === 0 ? top : yield* count({ ...request, fields: [groupBy, "action"], only, limit: most })
  const all = totals ? yield* count({ ...request, fields: ["action"], limit: most }) : undefined
  const byKey = groupedBy(rows, ({ keys: [key = null] }) => key)
  return {
    group_by: groupBy,
    groups: only.map(([key = null]) => ({ [groupBy]: key, ...stepsOf(byKey.get(key) ?? [], query) })),
    total: top.total,
    unidentified: top.unidentified,
    ...(all && { totals: stepsOf(all.rows, query) }),
    ...(earlier && { compared: { from: earlier.from, to: earlier.to } })
  }
})
