import { type CohortQuery, type CohortWeek, maxCohorts, weeksBetween } from "@clicks/core/analytics/Cohorts"
import type { VisitorBuckets, VisitorQuery } from "@clicks/core/analytics/VisitorBuckets"
import { Effect } from "effect"
import { type Slice, visitorsOf } from "../Chunk.ts"
import type { ClickChunks } from "../ClickChunks.ts"
import { PairIndex } from "../PairIndex.ts"
import { Slots } from "../Slots.ts"
import { forEachMatch } from "./forEachMatch.ts"
import { VisitorSets } from "./VisitorSets.ts"

const week = 7 * 24 * 3_600_000

const longestWeek = 8 * 24 * 3_600_000

// Longer than any bucket.
const longest = 33 * 24 * 3_600_000

/** Marks the visitors with a click, and those with a click in the slot of their first one. */
const markNew = (
  { block, chunk }: Slice,
  rows: Int32Array,
  numbers: Int32Array,
  slotOfFirst: Int32Array,
  isNew: Uint8Array,
  isSeen: Uint8Array,
  count: number
): void => {
  const { low } = visitorsOf(chunk)
  const base = block << 16
  for (let index = 0; index < count; index++) {
    const id = base | (low[rows[index] as number] as number)
    isSeen[id] = 1
    isNew[id] = (isNew[id] as number) | Number(slotOfFirst[id] === numbers[index])
  }
}

/** Counts the visitors of each bucket and of the whole range. `chunks` must contain all clicks, whatever the filter. */
export const countVisitors = Effect.fnUntraced(function* (
  chunks: ClickChunks,
  { axis, filter }: VisitorQuery
) {
  const firsts = yield* chunks.firstClicks
  const slots = new Slots(axis, { filter })
  const slotOf = slots.of("current")
  const from = filter.from?.getTime() ?? Number.NEGATIVE_INFINITY
  const to = filter.to?.getTime() ?? Number.POSITIVE_INFINITY
  const slotOfFirst = new Int32Array(firsts.length).fill(-1)
  for (let id = 1; id < firsts.length; id++) {
    const first = firsts[id] as number
    if (Number.isFinite(first) && first >= from - longest && first <= to) slotOfFirst[id] = slotOf(first)
  }
  const isNew = new Uint8Array(firsts.length)
  const isSeen = new Uint8Array(firsts.length)
  const sets = new VisitorSets(chunks.lastVisitor)
  yield* forEachMatch(chunks, filter, slots, (slice, rows, numbers, count) => {
    sets.addAll(visitorsOf(slice.chunk), slice.block, rows, numbers, 0, count)
    markNew(slice, rows, numbers, slotOfFirst, isNew, isSeen, count)
  })
  const newIn = new Int32Array(slots.values.length)
  const total = { visitors: 0, new: 0, returning: 0 }
  for (let id = 1; id < firsts.length; id++) {
    if (isNew[id] === 1) (newIn[slotOfFirst[id] as number] as number)++
    if (isSeen[id] !== 1) continue
    total.visitors++
    if ((firsts[id] as number) >= from) total.new++
    else total.returning++
  }
  const rows = slots.values.flatMap((bucket, slot): VisitorBuckets["buckets"] => {
    const [visitors, fresh] = [sets.size(slot * 2), newIn[slot] ?? 0]
    if (visitors === 0) return []
    return [{ bucket: new Date(bucket), visitors, new: fresh, returning: visitors - fresh }]
  })
  return { rows, total }
})

/** The earliest first click that can be in one of the latest cohorts. Computed in UTC weeks: a local week lies in two of them. */
const earliestOf = (firsts: Float64Array, low: number, high: number): number => {
  const weeks = new Set<number>()
  let last = Number.NaN
  for (const first of firsts) {
    const number = Math.floor(first / week)
    // Visitors have ids in the order of their first clicks, mostly: of millions, few begin another week.
    if (number === last || !(first >= low && first <= high)) continue
    last = number
    weeks.add(number)
  }
  const [earliest = Number.NEGATIVE_INFINITY] = Array.from(weeks)
    .sort((a, b) => a - b)
    .slice(-2 * (maxCohorts + 3))
  return Math.max(low, earliest * week)
}

/** Counts the latest cohorts in order, up to the week `last`. `chunks` must contain all clicks, whatever the filter. */
export const countCohorts = Effect.fnUntraced(function* (
  chunks: ClickChunks,
  { filter, timeZone }: CohortQuery,
  last: Date
) {
  const firsts = yield* chunks.firstClicks
  const high = Math.min(filter.to?.getTime() ?? Number.POSITIVE_INFINITY, last.getTime() + longestWeek)
  const low = filter.from?.getTime() ?? Number.NEGATIVE_INFINITY
  const slots = new Slots({ interval: "week", timeZone }, { filter })
  const slotOf = slots.of("current")
  const earliest = earliestOf(firsts, low, high)
  const members = new Int32Array(firsts.length).fill(-1)
  const sizes: Array<number> = []
  for (let visitor = 1; visitor < firsts.length; visitor++) {
    const first = firsts[visitor] as number
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
  const shown = Number.isFinite(earliest) ? { from: new Date(earliest), to: new Date(high) } : {}
  yield* forEachMatch(chunks, { ...filter, ...shown }, slots, ({ block, chunk }, rows, numbers, count) => {
    sets.addAll(visitorsOf(chunk), block, rows, numbers, 0, count)
  })
  const pairs = new PairIndex()
  const counts: Array<number> = []
  sets.forEachWord((set, word, bits) => {
    for (let rest = bits; rest !== 0; rest &= rest - 1) {
      const cohort = members[word * 32 + 31 - Math.clz32(rest & -rest)] as number
      if (cohort < 0) continue
      const pair = pairs.add(cohort, set >>> 1)
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
