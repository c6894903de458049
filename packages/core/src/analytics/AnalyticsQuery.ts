import { Result } from "effect"
import type { ClickFilter } from "../clicks/ClickFilter.ts"
import { parseFilter } from "../clicks/ClickQuery.ts"
import { parseZone } from "../clicks/TimeRange.ts"
import { type InvalidInput, invalid } from "../values/InvalidInput.ts"
import { oneOf, type QueryParameters, wholeNumber } from "../values/QueryParameters.ts"
import { Interval, type TimeAxis } from "./Interval.ts"

/** The fields that clicks can be grouped by. */
export const groupFields = [
  "action",
  "product_id",
  "store_id",
  "brand_id",
  "campaign_id",
  "source",
  "page_type",
  "device_type",
  "visitor_state",
  "visitor_city"
] as const
export type GroupField = (typeof groupFields)[number]

/**
 * What to count: the clicks that match the filter, in groups that agree in every field of `groupBy` and, with an axis, lie
 * in the same bucket. At most `limit` groups are answered.
 */
export interface AnalyticsQuery {
  readonly filter: ClickFilter
  readonly groupBy: ReadonlyArray<GroupField>
  readonly axis?: TimeAxis
  readonly limit: number
}

/** Groups that are answered when no limit is given. Higher than the listing's, so that a year of days is never cut. */
export const defaultLimit = 1000
/** A year of hours is 8,784. */
export const maxLimit = 10_000

const isGroupField = (name: string): name is GroupField => groupFields.some((field) => field === name)

const parseGroupBy = (
  names: ReadonlyArray<string>
): Result.Result<ReadonlyArray<GroupField>, InvalidInput> => {
  const given = names.filter((name) => name !== "")
  const fields = given.filter(isGroupField)
  return fields.length === given.length
    ? Result.succeed(Array.from(new Set(fields)))
    : invalid(`group_by must be one of: ${groupFields.join(", ")}; repeat it to group by several`)
}

const parseAxis = (parameters: QueryParameters): Result.Result<TimeAxis | undefined, InvalidInput> =>
  Result.gen(function* () {
    const interval = yield* oneOf(parameters, "interval", Interval.literals)
    return interval && { interval, timeZone: yield* parseZone(parameters) }
  })

export const parseLimit = (parameters: QueryParameters) =>
  wholeNumber(parameters, "limit", { fallback: defaultLimit, min: 1, max: maxLimit })

/**
 * Reads a query: the listing's filters, `interval` (in the time zone `tz` of the filters), `limit`, and `group_by`, which may be
 * given several times. Fails with a sentence about the first invalid parameter.
 */
export const parse = (
  parameters: QueryParameters,
  groupBy: ReadonlyArray<string>
): Result.Result<AnalyticsQuery, InvalidInput> =>
  Result.gen(function* () {
    const filter = yield* parseFilter(parameters)
    const fields = yield* parseGroupBy(groupBy)
    const axis = yield* parseAxis(parameters)
    const limit = yield* parseLimit(parameters)
    return { filter, groupBy: fields, ...(axis && { axis }), limit }
  })
