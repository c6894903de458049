import { Clock, Effect, Result } from "effect"
import type { ClickFilter } from "../clicks/ClickFilter.ts"
import { type InvalidInput, invalid } from "../values/InvalidInput.ts"
import { instantAt, offsetAt, type TimeZone } from "../values/TimeZone.ts"
import type { comparisons } from "./analyticsParameters.ts"

/** The period just before, or the same weekdays of last year. */
type Comparison = (typeof comparisons)[number]

/** An earlier period that a range is compared with. `from` and `to` are inclusive. */
export interface EarlierPeriod {
  readonly from: Date
  readonly to: Date
  /** The distance from this period to the range in local time, in milliseconds. */
  readonly shift: number
  readonly timeZone: TimeZone
}

const lastYear = 364 * 24 * 3_600_000

const localAt = (instant: number, timeZone: TimeZone): number => instant + offsetAt(instant, timeZone)

/** Computes the earlier period. It is equally long in local time, so that days stay days when clocks change. */
export const earlierPeriod = (
  range: { readonly from: Date; readonly to: Date },
  comparison: Comparison,
  timeZone: TimeZone
): EarlierPeriod => {
  const first = localAt(range.from.getTime(), timeZone)
  const end = localAt(range.to.getTime() + 1, timeZone)
  const shift = comparison === "year" ? lastYear : Math.max(1, end - first)
  return {
    from: new Date(instantAt(first - shift, timeZone)),
    to: new Date(instantAt(end - shift, timeZone) - 1),
    shift,
    timeZone
  }
}

/** The earlier period of a query, limited to the part that the range has reached: an unfinished day is not compared with a whole one. */
export const elapsedPart = Effect.fnUntraced(function* ({
  earlier,
  filter: { from, to }
}: {
  readonly earlier?: EarlierPeriod
  readonly filter: ClickFilter
}) {
  const now = yield* Clock.currentTimeMillis
  const isUnfinished = from !== undefined && to !== undefined && from.getTime() < now && now < to.getTime()
  if (earlier === undefined || !isUnfinished) return earlier
  const { shift, timeZone } = earlier
  return { ...earlier, to: new Date(instantAt(localAt(now, timeZone) - shift, timeZone) - 1) }
})

/** Moves a time of the earlier period into the range: later by the difference in local time, but never outside the range. */
export const moveLater = (
  instant: Date,
  { shift, timeZone }: EarlierPeriod,
  { from, to }: ClickFilter
): Date => {
  const moved = instantAt(localAt(instant.getTime(), timeZone) + shift, timeZone)
  return new Date(Math.max(from?.getTime() ?? moved, Math.min(to?.getTime() ?? moved, moved)))
}

/** The earlier period that `compare` requests, if any. Fails if the range lacks an end or is empty. */
export const parseComparison = (
  comparison: Comparison | undefined,
  { from, to }: ClickFilter,
  timeZone: TimeZone
): Result.Result<EarlierPeriod | undefined, InvalidInput> => {
  if (comparison === undefined) return Result.succeed(undefined)
  if (from === undefined || to === undefined)
    return invalid("`compare` needs a range with both ends; give `from`, and `before` or `to`")
  if (from > to)
    return invalid("`compare` needs a range that is not empty; `from` must be earlier than `before` or `to`")
  return Result.succeed(earlierPeriod({ from, to }, comparison, timeZone))
}
