import { Result } from "effect"
import { actions, type ClickAction } from "../../clicks/ClickEvent.ts"
import { type ClickFilter, type EqualityField, equalityFields } from "../../clicks/ClickFilter.ts"
import { parseFilter } from "../../clicks/ClickQuery.ts"
import { parseZone } from "../../clicks/TimeRange.ts"
import { type InvalidInput, invalid, quote } from "../../values/InvalidInput.ts"
import { oneOf, type QueryParameters, wholeNumber } from "../../values/QueryParameters.ts"
import { type EarlierPeriod, parseComparison } from "../Comparison.ts"
import { type Axis, Interval, type TimeAxis } from "../Interval.ts"
import { flag, list } from "../parameters.ts"

/** What groups can be sorted by: all clicks, their difference from the earlier period, the clicks of an action, the values. */
export const sorts = ["total", "change", ...actions, "key"] as const

/** The order of groups, ties by their values, and which are left out. */
export interface Ranking {
  readonly sort: (typeof sorts)[number]
  readonly descending: boolean
  /** Leaves out groups with a click with one of these actions, and those without any click in the current period. */
  readonly without: ReadonlyArray<ClickAction>
}

/**
 * What to count: the clicks that match the filter, grouped by the fields of `groupBy`; with an axis, each group in every slot. At most
 * `limit` groups are returned.
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

/** Groups that are returned when no limit is given. */
export const defaultLimit = 1000
/** The same, with an axis: each group has a row per slot. */
export const defaultAxisLimit = 20
export const maxLimit = 10_000
/** Rows of one answer: two years of hours are 17,544. */
export const maxRows = 20_000
/** The maximum number of hot clicks that are counted together with an archive. */
export const maxHotClicks = 100_000

const isGroupField = (name: string): name is EqualityField => equalityFields.some((field) => field === name)
const isAction = (name: string): name is ClickAction => actions.some((action) => action === name)

const parseGroupBy = (
  parameters: QueryParameters
): Result.Result<ReadonlyArray<EqualityField>, InvalidInput> => {
  const names = list(parameters, "group_by")
  const unknown = names.find((name) => !isGroupField(name))
  if (unknown !== undefined)
    return invalid(
      `group_by must be one or two of: ${equalityFields.join(", ")}; it contains ${quote(unknown)}`
    )
  const fields = names.filter(isGroupField)
  return fields.length > 2
    ? invalid(`group_by takes at most two fields; it has ${fields.length}: ${fields.join(", ")}`)
    : Result.succeed(fields)
}

const parseAxis = (parameters: QueryParameters): Result.Result<Axis | undefined, InvalidInput> =>
  Result.gen(function* () {
    const interval = yield* oneOf(parameters, "interval", Interval.literals)
    const bucket = yield* oneOf(parameters, "bucket", ["hour-of-week"])
    if (interval && bucket)
      return yield* invalid("`interval` and `bucket` cannot be combined; give one of them")
    const timeZone = yield* parseZone(parameters)
    if (bucket) return { interval: bucket, timeZone }
    return interval && ({ interval, timeZone } satisfies TimeAxis)
  })

const parseWithout = (
  parameters: QueryParameters
): Result.Result<ReadonlyArray<ClickAction>, InvalidInput> => {
  const names = list(parameters, "without")
  const unknown = names.find((name) => !isAction(name))
  return unknown === undefined
    ? Result.succeed(names.filter(isAction))
    : invalid(`without must be one or more of: ${actions.join(", ")}; it contains ${quote(unknown)}`)
}

const parseRanking = (
  parameters: QueryParameters,
  groupBy: ReadonlyArray<EqualityField>,
  isCompared: boolean
): Result.Result<Ranking, InvalidInput> =>
  Result.gen(function* () {
    const sort = yield* oneOf(parameters, "sort", sorts)
    const order = yield* oneOf(parameters, "order", ["asc", "desc"])
    const without = yield* parseWithout(parameters)
    if (groupBy.length === 0 && (sort ?? order) !== undefined)
      return yield* invalid(
        `\`${sort === undefined ? "order" : "sort"}\` needs \`group_by\`; it orders groups`
      )
    if (groupBy.length === 0 && without.length > 0)
      return yield* invalid("`without` needs `group_by`; it selects groups")
    if (sort === "change" && !isCompared) return yield* invalid("`sort=change` needs `compare`")
    return {
      sort: sort ?? "total",
      descending: order === undefined ? sort !== "key" : order === "desc",
      without
    }
  })

/** `limit` of groups. */
export const parseLimit = (parameters: QueryParameters, fallback = defaultLimit) =>
  wholeNumber(parameters, "limit", { fallback, min: 1, max: maxLimit })

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
    const groupBy = yield* parseGroupBy(parameters)
    const axis = yield* parseAxis(parameters)
    const earlier = yield* parseComparison(parameters, filter)
    const query = {
      filter,
      groupBy,
      ...(axis && { axis }),
      ...(earlier && { earlier }),
      ranking: yield* parseRanking(parameters, groupBy, earlier !== undefined),
      pivot: (yield* oneOf(parameters, "pivot", ["action"])) !== undefined,
      totals: yield* flag(parameters, "totals", false),
      visitors: yield* flag(parameters, "visitors", true)
    }
    yield* refuseFixedAction(query)
    return { ...query, limit: yield* parseLimit(parameters, axis && defaultAxisLimit) }
  })
