import { Effect } from "effect"
import { ClickArchive } from "./ClickArchive.ts"
import { bucketWidths, type Cut, type IdRange } from "./Cut.ts"
import { HotClicks } from "./HotClicks.ts"
import { expireClicks } from "./sweepTiers.ts"

const countAll = Effect.fnUntraced(function* (cut: Cut) {
  const tiers = [yield* HotClicks, yield* ClickArchive]
  const buckets = yield* Effect.forEach(tiers, ({ count }) => count(cut, {}, bucketWidths[0]))
  return buckets.flat().reduce((sum, { count }) => sum + count, 0)
})

/** The number of clicks with these ids in both tiers, including those of an unfinished deletion; null if there is no cut. */
export const countIds = Effect.fnUntraced(function* (ids: IdRange) {
  const cut = yield* HotClicks.use((hot) => hot.cut)
  if (cut === null) return null
  // No tier counts by id. The difference between two counts of the same cut is the number of clicks that a deletion would remove.
  const all = yield* countAll({ ...cut, expiredIds: null })
  return all - (yield* countAll({ ...cut, expiredIds: ids }))
})

/** Deletes the clicks with these ids from both tiers, like `expireClicks`. Does nothing if there are none and no deletion is unfinished. */
export const deleteIds = Effect.fn("deleteIds")(function* (ids: IdRange) {
  const cut = yield* HotClicks.use((hot) => hot.cut)
  if (cut?.expiredIds === null && (yield* countIds(ids)) === 0) return
  yield* expireClicks(ids)
})
