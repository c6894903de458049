import { Result } from "effect"
import type { ClickAction } from "../../clicks/ClickEvent.ts"
import type { ClickFilter, EqualityField } from "../../clicks/ClickFilter.ts"
import { parseFilter } from "../../clicks/ClickQuery.ts"
import { parseZone } from "../../clicks/TimeRange.ts"
import { type InvalidInput, invalid } from "../../values/InvalidInput.ts"
import { type QueryParameters, read, type Values } from "../../values/QueryParameters.ts"
import type { TimeZone } from "../../values/TimeZone.ts"
import { axisLimit, groupParameters, type sorts } from "../analyticsParameters.ts"
import { type EarlierPeriod, parseComparison } from "../Comparison.ts"
import type { Axis } from "../Interval.ts"

/** The order of groups, with ties ordered by their values, and which groups to omit. */
export interface Ranking {
  readonly sort: (typeof sorts)[number]
  readonly descending: boolean
  /** Omits groups that have clicks with one of these actions, and groups without clicks in the current period. */
  readonly without: ReadonlyArray<ClickAction>
}

/**
 * The clicks to count: those that match the filter, grouped by the fields of `groupBy` and, with an axis, by slot. At most `limit` groups
 * are returned.
 */
export interface AnalyticsQuery {
  readonly filter: ClickFilter
  readonly groupBy: ReadonlyArray<EqualityField>
  readonly axis?: Axis
  readonly earlier?: EarlierPeriod
  readonly ranking: Ranking
  /** Whether groups have the clicks of each action. */
  readonly pivot: boolean
  /** Whether to return the sum of all groups, and each group's share of it. */
  readonly totals: boolean
  readonly visitors: boolean
  readonly limit: number
}

/** The maximum number of rows of a result: two years of hours are 17,544. */
export const maxRows = 20_000
/** The maximum number of hot clicks that are counted together with an archive. */
export const maxHotClicks = 100_000

type Given = Values<typeof groupParameters>

const axisOf = (
  { bucket, interval }: Given,
  timeZone: TimeZone
): Result.Result<Axis | undefined, InvalidInput> => {
  if (interval && bucket) return invalid("`interval` and `bucket` cannot be combined; give one of them")
  const unit = bucket ?? interval
  return Result.succeed(unit && ({ interval: unit, timeZone } as Axis))
}

const rankingOf = (
  { group_by, order, sort, without = [] }: Given,
  isCompared: boolean
): Result.Result<Ranking, InvalidInput> => {
  if (group_by === undefined && (sort ?? order) !== undefined)
    return invalid(`\`${sort === undefined ? "order" : "sort"}\` needs \`group_by\`; it orders groups`)
  if (group_by === undefined && without.length > 0)
    return invalid("`without` needs `group_by`; it selects groups")
  if (sort === "change" && !isCompared) return invalid("`sort=change` needs `compare`")
  const descending = order === undefined ? sort !== "key" : order === "desc"
  return Result.succeed({ sort: sort ?? "total", descending, without })
}

// The action of such a group is fixed, so columns and conditions on actions would be trivially 0 or wrong.
const refuseFixedAction = ({
  filter,
  groupBy,
  pivot,
  ranking
}: Omit<AnalyticsQuery, "limit">): Result.Result<void, InvalidInput> => {
  const isFixed = groupBy.includes("action")
  if (isFixed && pivot) return invalid("`pivot` cannot be combined with `group_by=action`")
  if (ranking.without.length > 0 && (isFixed || filter.action !== undefined))
    return invalid(
      `\`without\` cannot be combined with ${isFixed ? "`group_by=action`" : "the filter `action`"}`
    )
  return Result.succeed(undefined)
}

/**
 * Reads a query: the listing's filters and the parameters that the HTTP API documents. `tz` of the filters is also the time zone
 * of the axis and of the comparison. Fails with a sentence about the first invalid parameter.
 */
export const parse = (parameters: QueryParameters): Result.Result<AnalyticsQuery, InvalidInput> =>
  Result.gen(function* () {
    const filter = yield* parseFilter(parameters)
    const given = yield* read(parameters, groupParameters)
    const timeZone = yield* parseZone(parameters)
    const axis = yield* axisOf(given, timeZone)
    const earlier = yield* parseComparison(given.compare, filter, timeZone)
    const query = {
      filter,
      groupBy: given.group_by ?? [],
      ...(axis && { axis }),
      ...(earlier && { earlier }),
      ranking: yield* rankingOf(given, earlier !== undefined),
      pivot: given.pivot !== undefined,
      totals: given.totals,
      visitors: given.visitors
    }
    yield* refuseFixedAction(query)
    const { limit } = axis ? yield* read(parameters, { limit: axisLimit }) : given
    return { ...query, limit }
  })
