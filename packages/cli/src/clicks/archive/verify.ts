import { actions, type ClickFilter } from "@clicks/core/clicks/ClickFilter"
import { ClickArchive } from "@clicks/core/clicks/tiers/ClickArchive"
import { bucketWidths, type Cut, type TierReads } from "@clicks/core/clicks/tiers/Cut"
import { HotClicks } from "@clicks/core/clicks/tiers/HotClicks"
import { type MovedBatch, movedBatches } from "@clicks/sql-adapter/clicks/archive/ArchiveStatus"
import { Effect } from "effect"
import { Settings } from "../../settings/Settings.ts"
import { grouped } from "../../terminal/format.ts"

// Takes some seconds. Older batches are covered by the check of the days.
const mostBatches = 1_000

const checkBatch = Effect.fnUntraced(function* ({ attempt, ...moved }: MovedBatch) {
  const { retentionDays } = yield* Settings
  const held = yield* ClickArchive.use((archive) => archive.check(attempt))
  const isWhole = held.count === moved.count && held.checksum === moved.checksum
  // A batch can lack clicks because of the retention: imported clicks are older than their batch.
  if (isWhole || (retentionDays !== undefined && held.count < moved.count)) return []
  const contents = held.count === moved.count ? ", with other contents" : ""
  return [`Batch ${attempt} has ${grouped(held.count)} clicks instead of ${grouped(moved.count)}${contents}`]
})

const countDays = Effect.fnUntraced(function* (tier: TierReads, cut: Cut, filter: ClickFilter) {
  const buckets = yield* tier.count(cut, filter, bucketWidths[0])
  return new Map(buckets.map(({ count, start }) => [start, count]))
})

const sumOf = (counts: Iterable<number>): number => Array.from(counts).reduce((sum, count) => sum + count, 0)

/** Compares the clicks of each day with the sum over the actions. Both are counted separately and must agree, because every click has one action. */
const checkDays = Effect.fnUntraced(function* (name: string, tier: TierReads, cut: Cut) {
  const all = yield* countDays(tier, cut, {})
  const parts = yield* Effect.forEach(actions, (action) => countDays(tier, cut, { action }))
  const days = new Set([all, ...parts].flatMap((part) => Array.from(part.keys())))
  const differences = Array.from(days).flatMap((day) => {
    const sum = sumOf(parts.map((part) => part.get(day) ?? 0))
    const count = all.get(day) ?? 0
    if (sum === count) return []
    const date = new Date(day).toISOString().slice(0, 10)
    return [`${name}, ${date}: ${grouped(count)} clicks, ${grouped(sum)} by action`]
  })
  return { days: days.size, clicks: sumOf(all.values()), differences }
})

/** Recounts both tiers: compares the newest batches with their records, and each day with the sum of its actions. */
export const verify = Effect.gen(function* () {
  const batches = yield* movedBatches(mostBatches)
  const wrong = yield* Effect.forEach(batches, checkBatch, { concurrency: 2 })
  const cut = yield* HotClicks.use((hot) => hot.cut)
  if (cut === null) return { batches: batches.length, days: 0, clicks: 0, differences: wrong.flat() }
  const archived = yield* checkDays("Archive", yield* ClickArchive, cut)
  const waiting = yield* checkDays("PostgreSQL", yield* HotClicks, cut)
  return {
    batches: batches.length,
    days: Math.max(archived.days, waiting.days),
    clicks: archived.clicks + waiting.clicks,
    differences: [...wrong.flat(), ...archived.differences, ...waiting.differences]
  }
})
