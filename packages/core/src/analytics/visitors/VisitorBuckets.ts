import { Effect, Result, Schema } from "effect"
import type { ClickFilter } from "../../clicks/ClickFilter.ts"
import { parseFilter } from "../../clicks/ClickQuery.ts"
import { parseZone } from "../../clicks/TimeRange.ts"
import { instant } from "../../values/Instant.ts"
import type { InvalidInput } from "../../values/InvalidInput.ts"
import { type QueryParameters, read } from "../../values/QueryParameters.ts"
import { visitorParameters } from "../analyticsParameters.ts"
import { type ClickAnalyticsError, tooManyRows } from "../ClickAnalyticsError.ts"
import { maxRows } from "../groups/AnalyticsQuery.ts"
import { bucketsOf, isLonger, type TimeAxis } from "../Interval.ts"

const counts = {
  visitors: Schema.Int.annotate({ description: "Distinct visitors", examples: [30] }),
  new: Schema.Int.annotate({
    description: "Visitors whose first click ever is in this bucket",
    examples: [20]
  }),
  returning: Schema.Int.annotate({ description: "All other visitors", examples: [10] })
}

/** New and returning visitors of each bucket of a range; a bucket without visitors has zeros. */
export const VisitorBuckets = Schema.Struct({
  buckets: Schema.Array(
    Schema.Struct({ bucket: instant("Start of the bucket in UTC"), ...counts }).annotate({
      identifier: "VisitorBucket"
    })
  ),
  total: Schema.Struct(counts).annotate({
    identifier: "VisitorTotal",
    description: "The whole range as one bucket"
  })
}).annotate({ identifier: "VisitorBuckets" })
export interface VisitorBuckets extends Schema.Schema.Type<typeof VisitorBuckets> {}

/** The clicks whose visitors to count. Whether a visitor is new does not depend on the filter. */
export interface VisitorQuery {
  readonly filter: ClickFilter
  readonly axis: TimeAxis
}

/** Reads a query: the listing's filters and `interval` (`day` by default) in the time zone `tz`. */
export const parse = (parameters: QueryParameters): Result.Result<VisitorQuery, InvalidInput> =>
  Result.gen(function* () {
    const filter = yield* parseFilter(parameters)
    const { interval } = yield* read(parameters, visitorParameters)
    return { filter, axis: { interval, timeZone: yield* parseZone(parameters) } }
  })

interface CountedVisitors {
  /** The buckets that have visitors, in any order. */
  readonly rows: VisitorBuckets["buckets"]
  readonly total: VisitorBuckets["total"]
}

/** Builds the result from the counts of `count`. Fails without counting if the range has certainly too many buckets. */
export const toVisitorBuckets = Effect.fnUntraced(function* (
  { axis, filter }: VisitorQuery,
  count: Effect.Effect<CountedVisitors, ClickAnalyticsError>
): Effect.fn.Return<VisitorBuckets, ClickAnalyticsError> {
  if (isLonger(filter, axis, maxRows)) return yield* tooManyRows("visitors")
  const { rows, total } = yield* count
  const found = new Map(rows.map((row) => [row.bucket.getTime(), row]))
  const slots = bucketsOf(filter, Array.from(found.keys()), axis, maxRows)
  if (slots === undefined) return yield* tooManyRows("visitors")
  const none = { visitors: 0, new: 0, returning: 0 }
  return { buckets: slots.map((slot) => found.get(slot) ?? { bucket: new Date(slot), ...none }), total }
})
