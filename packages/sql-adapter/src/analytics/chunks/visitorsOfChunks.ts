import { type CohortQuery, type CohortWeek, maxCohorts, weeksBetween } from "@clicks/core/analytics/Cohorts"
import type { VisitorBuckets, VisitorQuery } from "@clicks/core/analytics/VisitorBuckets"
import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import { Effect } from "effect"
import type { Column } from "../../clicks/counting/chunkColumns.ts"
import { type Chunk, columnOf } from "./Chunk.ts"
import type { ClickChunks } from "./ClickChunks.ts"
import { PairIndex } from "./PairIndex.ts"
import { Slots } from "./Slots.ts"
import { makeSelectRows } from "./selectRows.ts"
import { VisitorSets } from "./VisitorSets.ts"

const week = 7 * 24 * 3_600_000

const longestWeek = 8 * 24 * 3_600_000

// Longer than any bucket.
const longest = 33 * 24 * 3_600_000

const request = (filter: ClickFilter) => ({ filter, fields: [], visitors: true, limit: 1 })

const addFirsts = ({ middle, n, order }: Chunk, at: Column, visitor: Column, firsts: Float64Array): void => {
  for (let index = 0; index < n; index++) {
    const row = order ? (order[index] as number) : index
    const id = visitor[row] as number
    const instant = middle + (at[row] as number)
    if (instant < (firsts[id] as number)) firsts[id] = instant
  }
}

/** The instant of the first click of each visitor. */
const firstClicks = Effect.fnUntraced(function* (chunks: ClickChunks) {
  const firsts = new Float64Array(chunks.lastVisitor + 1).fill(Number.POSITIVE_INFINITY)
  yield* chunks.scan(
    () => ["at", "visitor"],
    (chunk) => {
      addFirsts(chunk, columnOf(chunk, "at"), columnOf(chunk, "visitor"), firsts)
    }
  )
  // Those that identify no visitor.
  firsts[0] = Number.POSITIVE_INFINITY
  return firsts
})

/** Calls `visit` for each click that matches and identifies its visitor. */
const forEachVisit = Effect.fnUntraced(function* (
  chunks: ClickChunks,
  filter: ClickFilter,
  enter: (chunk: Chunk) => (visitor: number, instant: number) => void
) {
  const { from: _, to: __, ...equal } = filter
  const selectRows = makeSelectRows(request(filter), yield* chunks.idsOf(Object.values(equal)))
  let rows = new Int32Array(0)
  const columns = ["at", "visitor", ...Object.keys(equal), ...(filter.action ? ["action"] : [])]
  yield* chunks.scan(
    () => columns,
    (chunk) => {
      if (rows.length < chunk.n) rows = new Int32Array(chunk.n)
      const count = selectRows(chunk, "current", rows)
      if (count === 0) return
      const visit = enter(chunk)
      const [at, visitor] = [columnOf(chunk, "at"), columnOf(chunk, "visitor")]
      for (let index = 0; index < count; index++) {
        const row = rows[index] as number
        const id = visitor[row] as number
        if (id !== 0) visit(id, chunk.middle + (at[row] as number))
      }
    }
  )
})

/** Buckets with visitors, and the whole range. `chunks` have all clicks, whatever the filter. */
export const countVisitors = Effect.fnUntraced(function* (
  chunks: ClickChunks,
  { axis, filter }: VisitorQuery
) {
  const firsts = yield* firstClicks(chunks)
  const slots = new Slots(axis, request(filter))
  const sets = new VisitorSets(chunks.lastVisitor)
  const all = new VisitorSets(chunks.lastVisitor)
  const from = filter.from?.getTime() ?? Number.NEGATIVE_INFINITY
  const newIn: Array<number> = []
  let newInAll = 0
  yield* forEachVisit(chunks, filter, (chunk) => {
    const slotOf = slots.within(chunk, "current")
    return (visitor, instant) => {
      const slot = slotOf(instant)
      const first = firsts[visitor] as number
      const isNew = sets.add(slot, visitor) && instant - first < longest && slotOf(first) === slot
      if (isNew) newIn[slot] = (newIn[slot] ?? 0) + 1
      if (all.add(0, visitor) && first >= from) newInAll++
    }
  })
  const counts = (visitors: number, fresh = 0) => ({ visitors, new: fresh, returning: visitors - fresh })
  const rows = slots.values.flatMap((bucket, slot): VisitorBuckets["buckets"] =>
    sets.size(slot) === 0 ? [] : [{ bucket: new Date(bucket), ...counts(sets.size(slot), newIn[slot]) }]
  )
  return { rows, total: counts(all.size(0), newInAll) }
})

/** The earliest first click that can be in one of the latest cohorts, told in weeks of UTC: a local week lies in two of them. */
const earliestOf = (firsts: Float64Array, low: number, high: number): number => {
  const weeks = new Set<number>()
  for (const first of firsts) if (first >= low && first <= high) weeks.add(Math.floor(first / week))
  const [earliest = Number.NEGATIVE_INFINITY] = Array.from(weeks)
    .sort((a, b) => a - b)
    .slice(-2 * (maxCohorts + 3))
  return Math.max(low, earliest * week)
}

/** The latest cohorts in order, up to the week `last`. `chunks` have all clicks, whatever the filter. */
export const countCohorts = Effect.fnUntraced(function* (
  chunks: ClickChunks,
  { filter, timeZone }: CohortQuery,
  last: Date
) {
  const firsts = yield* firstClicks(chunks)
  const high = Math.min(filter.to?.getTime() ?? Number.POSITIVE_INFINITY, last.getTime() + longestWeek)
  const low = filter.from?.getTime() ?? Number.NEGATIVE_INFINITY
  const slots = new Slots({ interval: "week", timeZone }, request(filter))
  const slotOf = slots.of("current")
  const earliest = earliestOf(firsts, low, high)
  const members = new Int32Array(firsts.length).fill(-1)
  const sizes: Array<number> = []
  for (const [visitor, first] of firsts.entries()) {
    if (!(first >= earliest && first <= high)) continue
    const slot = slotOf(first)
    members[visitor] = slot
    sizes[slot] = (sizes[slot] ?? 0) + 1
  }
  const cohorts = Array.from(sizes.keys())
    .filter((slot) => (slots.values[slot] ?? 0) <= last.getTime())
    .sort((a, b) => (slots.values[a] ?? 0) - (slots.values[b] ?? 0))
    .slice(-maxCohorts)

  const sets = new VisitorSets(chunks.lastVisitor)
  const pairs = new PairIndex()
  const counts: Array<number> = []
  yield* forEachVisit(chunks, filter, (chunk) => {
    const visitSlotOf = slots.within(chunk, "current")
    return (visitor, instant) => {
      const cohort = members[visitor] as number
      if (cohort < 0 || instant - (firsts[visitor] as number) > (maxCohorts + 1) * week) return
      const slot = visitSlotOf(instant)
      if (!sets.add(slot, visitor)) return
      const pair = pairs.add(cohort, slot)
      counts[pair] = (counts[pair] ?? 0) + 1
    }
  })
  return cohorts.flatMap((cohort): ReadonlyArray<CohortWeek> => {
    const start = slots.values[cohort] ?? 0
    const found = slots.values
      .flatMap((other, slot) => {
        const pair = pairs.find(cohort, slot)
        return pair < 0 ? [] : [{ later: weeksBetween(start, other), returned: counts[pair] ?? 0 }]
      })
      .sort((a, b) => a.later - b.later)
    const each = { week: new Date(start), visitors: sizes[cohort] ?? 0 }
    return found.length === 0
      ? [{ ...each, later: null, returned: 0 }]
      : found.map((one) => ({ ...each, ...one }))
  })
})
