import { Effect } from "effect"
import type { ClickAction } from "../../clicks/ClickEvent.ts"
import { actions } from "../../clicks/ClickFilter.ts"
import { type ClickAnalyticsError, tooManyRows, type Unidentified } from "../ClickAnalyticsError.ts"
import { elapsedPart } from "../Comparison.ts"
import { bucketsOf, hoursOfWeek, isLonger, isTimeAxis } from "../Interval.ts"
import { ratio } from "../ratio.ts"
import { type AnalyticsQuery, maxRows } from "./AnalyticsQuery.ts"
import type { CountedRows, CountRow, CountRows, Counts, Keys } from "./ClickCounts.ts"
import type { ClickGroup, ClickGroups, GroupCounts } from "./ClickGroup.ts"
import { topActions } from "./topActions.ts"

const difference = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : a - b

const noActions = Object.fromEntries(actions.map((action) => [action, 0])) as Record<ClickAction, number>

const noCounts = ({ visitors }: AnalyticsQuery): Counts => ({
  clicks: 0,
  visitors: visitors ? 0 : null,
  actions: noActions
})

type Counted = Pick<CountRow, "current" | "previous">

/** The counts of a row, with the parts that the query requests. */
const toCounts = (
  { earlier, pivot }: Pick<AnalyticsQuery, "earlier" | "pivot">,
  { current, previous }: Counted
): GroupCounts => {
  const shown = ({ actions, clicks, visitors }: Counts) => ({ clicks, visitors, ...(pivot && { actions }) })
  if (earlier === undefined) return shown(current)
  const clicks = current.clicks - previous.clicks
  const visitors = difference(current.visitors, previous.visitors)
  return {
    ...shown(current),
    previous: shown(previous),
    change: {
      clicks,
      visitors,
      click_rate: ratio(clicks, previous.clicks),
      visitor_rate: ratio(visitors, previous.visitors)
    }
  }
}

/** All slots of the range and of the rows, in order; undefined if there are more than a result can have. */
const slotsOf = (
  { axis, filter }: AnalyticsQuery,
  rows: ReadonlyArray<CountRow>
): ReadonlyArray<number> | undefined => {
  const found = rows.flatMap(({ slot }) => (slot === undefined ? [] : [slot]))
  if (axis === undefined) return []
  if (isTimeAxis(axis)) return bucketsOf(filter, found, axis, maxRows)
  return found.length === 0 ? [] : Array.from({ length: hoursOfWeek }, (_, slot) => slot)
}

const slotFields = ({ axis }: AnalyticsQuery, slot: number) =>
  axis !== undefined && isTimeAxis(axis)
    ? { bucket: new Date(slot) }
    : { weekday: Math.floor(slot / 24) + 1, hour: slot % 24 }

const keyFields = ({ groupBy }: AnalyticsQuery, keys: Keys) =>
  Object.fromEntries(groupBy.map((field, index) => [field, keys[index] ?? null]))

/** One row for each slot and group, with zeros if there are no clicks. */
const fillSlots = (
  query: AnalyticsQuery,
  groups: ReadonlyArray<Keys>,
  rows: ReadonlyArray<CountRow>
):
  | ReadonlyArray<{ readonly fields: Omit<ClickGroup, keyof GroupCounts>; readonly counted: Counted }>
  | undefined => {
  const slots = slotsOf(query, rows)
  if (slots === undefined || slots.length * groups.length > maxRows) return undefined
  const found = new Map(rows.map((row) => [JSON.stringify([row.slot, ...row.keys]), row]))
  const none = noCounts(query)
  return slots.flatMap((slot) =>
    groups.map((keys) => ({
      fields: { ...slotFields(query, slot), ...keyFields(query, keys) },
      counted: found.get(JSON.stringify([slot, ...keys])) ?? { current: none, previous: none }
    }))
  )
}

const nothing: CountedRows = { rows: [], total: 0, unidentified: 0 }

const requestOf = ({ earlier, filter, visitors }: AnalyticsQuery) => ({
  filter,
  ...(earlier && { earlier }),
  fields: [],
  visitors,
  limit: maxRows + 1
})

/** Whether the groups are the actions. There are few, so the slots of all are counted at once, and determine the top groups. */
const isByAction = ({ groupBy }: AnalyticsQuery): boolean => groupBy.length === 1 && groupBy[0] === "action"

const ofGroups = ({ rows, unidentified }: CountedRows, groups: ReadonlyArray<Keys>): CountedRows => {
  const wanted = new Set(groups.map(([key]) => key))
  const found = rows.filter(({ keys: [key] }) => wanted.has(key))
  return { rows: found, total: found.length, unidentified }
}

/** Rows of the top groups, of the axis alone, or of everything. */
const countRows = Effect.fnUntraced(function* (query: AnalyticsQuery, count: CountRows) {
  const { axis, groupBy, limit, ranking, totals } = query
  const request = { ...requestOf(query), fields: groupBy, overall: totals }
  const isAxisAlone = groupBy.length === 0 && axis !== undefined
  const ranked = groupBy.length > 0 ? { ...request, ranking, limit } : request
  const known = axis && isByAction(query) ? yield* count({ ...request, axis }) : undefined
  const all = known && known.total <= maxRows ? known : undefined
  const top = isAxisAlone ? undefined : all ? topActions(query, all) : yield* count(ranked)
  const groups = top?.rows.map(({ keys }) => keys) ?? [[]]
  if (axis === undefined) {
    const counted = top?.rows ?? []
    const rows = counted.map((row) => ({ fields: keyFields(query, row.keys), counted: row }))
    return { rows, total: top?.total ?? 0, unidentified: top?.unidentified ?? 0, overall: top?.overall }
  }
  const only = groupBy.length > 0 ? { only: groups, overall: false } : {}
  const series =
    groups.length === 0 ? nothing : all ? ofGroups(all, groups) : yield* count({ ...request, axis, ...only })
  const rows = series.total > maxRows ? undefined : fillSlots(query, groups, series.rows)
  if (rows === undefined) return yield* tooManyRows("groups")
  const { overall, unidentified } = top ?? series
  return { rows, total: groupBy.length > 0 ? (top?.total ?? 0) : rows.length, unidentified, overall }
})

/** Executes a query: counts the top groups, then their slots, and the totals. */
export const countGroups = Effect.fnUntraced(function* (
  asked: AnalyticsQuery,
  count: CountRows
): Effect.fn.Return<ClickGroups & Unidentified, ClickAnalyticsError> {
  const earlier = yield* elapsedPart(asked)
  const query = { ...asked, ...(earlier && { earlier }) }
  const { axis, filter, groupBy, totals } = query
  if (axis !== undefined && isTimeAxis(axis) && isLonger(filter, axis, maxRows))
    return yield* tooManyRows("groups")
  const isWhole = groupBy.length === 0 && axis === undefined
  const { overall, rows, ...answer } = yield* countRows(query, count)
  const whole = isWhole ? rows[0]?.counted : overall
  const all = totals ? (whole ?? (yield* count(requestOf(query))).rows[0]) : undefined
  return {
    groups: rows.map(({ counted, fields }) => ({
      ...fields,
      ...toCounts(query, counted),
      ...(all && { share: ratio(counted.current.clicks, all.current.clicks) })
    })),
    ...answer,
    ...(all && { totals: toCounts(query, all) }),
    ...(earlier && { compared: { from: earlier.from, to: earlier.to } })
  }
})
