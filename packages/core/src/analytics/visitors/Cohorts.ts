import { Clock, Effect, Result, Schema } from "effect"
import type { ClickFilter } from "../../clicks/ClickFilter.ts"
import { parseFilter } from "../../clicks/ClickQuery.ts"
import { parseZone } from "../../clicks/TimeRange.ts"
import { groupedBy } from "../../values/groupedBy.ts"
import { instant } from "../../values/Instant.ts"
import type { InvalidInput } from "../../values/InvalidInput.ts"
import type { QueryParameters } from "../../values/QueryParameters.ts"
import type { TimeZone } from "../../values/TimeZone.ts"
import { bucketStart } from "../Interval.ts"

/** The maximum number of cohorts, and of the weeks of each: a year and a week. */
export const maxCohorts = 53

/** Visitors by the week of their first click, oldest first. */
export const Cohorts = Schema.Struct({
  cohorts: Schema.Array(
    Schema.Struct({
      week: instant("Start of the week, a Monday in `tz`, in UTC"),
      visitors: Schema.Int.annotate({
        description: "Visitors whose first click ever is in this week and in the range",
        examples: [120]
      }),
      returned: Schema.Array(Schema.Int).annotate({
        description: `Number of these visitors with a click that matches the filters: in this week, one week later, two weeks later …, up to the last week with any; at most ${maxCohorts} weeks`,
        examples: [[118, 30, 12]]
      })
    }).annotate({ identifier: "Cohort" })
  ).annotate({
    description: `The latest ${maxCohorts} weeks with new visitors; weeks that have not begun are omitted`
  })
}).annotate({ identifier: "Cohorts" })
export interface Cohorts extends Schema.Schema.Type<typeof Cohorts> {}

/** The clicks that count as returning. The range also selects the first clicks. */
export interface CohortQuery {
  readonly filter: ClickFilter
  readonly timeZone: TimeZone
}

/** Reads a query: the listing's filters and `tz`. */
export const parse = (parameters: QueryParameters): Result.Result<CohortQuery, InvalidInput> =>
  Result.gen(function* () {
    const filter = yield* parseFilter(parameters)
    return { filter, timeZone: yield* parseZone(parameters) }
  })

/** The number of members of a cohort who clicked a number of weeks after its week. */
export interface CohortWeek {
  readonly week: Date
  /** All members. */
  readonly visitors: number
  /** Null if none has clicked. */
  readonly later: number | null
  readonly returned: number
}

/** The start of the current week, the last one that is returned: later weeks have only clicks with wrong times. */
export const currentWeek = ({ timeZone }: CohortQuery): Effect.Effect<Date> =>
  Effect.map(Clock.currentTimeMillis, (now) => bucketStart(new Date(now), { interval: "week", timeZone }))

const week = 7 * 24 * 3_600_000

/** How many weeks one week begins after another, even if the clocks change between them. */
export const weeksBetween = (first: number, other: number): number => Math.round((other - first) / week)

/** The cohorts of rows in order of `week` and `later`, without weeks after `last`. */
export const toCohorts = (rows: ReadonlyArray<CohortWeek>, last: Date): Cohorts => {
  const cohorts = groupedBy(rows, ({ week }) => week.getTime())
  return {
    cohorts: Array.from(cohorts.values(), (members) => {
      const { visitors, week } = members[0] ?? { visitors: 0, week: last }
      const end = Math.min(maxCohorts, weeksBetween(week.getTime(), last.getTime()) + 1)
      const returned: Array<number> = []
      for (const { later, returned: count } of members) {
        if (later === null || later >= end) continue
        while (returned.length < later) returned.push(0)
        returned.push(count)
      }
      return { week, visitors, returned }
    })
  }
}
