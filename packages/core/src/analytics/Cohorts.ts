import { Result, Schema } from "effect"
import type { ClickFilter } from "../clicks/ClickFilter.ts"
import { parseFilter } from "../clicks/ClickQuery.ts"
import { parseZone } from "../clicks/TimeRange.ts"
import { groupedBy } from "../values/groupedBy.ts"
import { instant } from "../values/Instant.ts"
import type { InvalidInput } from "../values/InvalidInput.ts"
import type { QueryParameters } from "../values/QueryParameters.ts"
import type { TimeZone } from "../values/TimeZone.ts"

/** The latest cohorts that are answered: a year and a week. */
export const maxCohorts = 53

/** Visitors by the week of their first click, oldest first. */
export const Cohorts = Schema.Struct({
  cohorts: Schema.Array(
    Schema.Struct({
      week: instant("Start of the week, a Monday in `tz`, in UTC"),
      visitors: Schema.Int.annotate({
        description: "Visitors whose first click of all lies in this week and in the range",
        examples: [120]
      }),
      returned: Schema.Array(Schema.Int).annotate({
        description:
          "How many of them have a click that matches the filters: in this week, one week later, two weeks later …, up to the last week with any",
        examples: [[118, 30, 12]]
      })
    }).annotate({ identifier: "Cohort" })
  ).annotate({ description: `The latest ${maxCohorts} weeks with new visitors` })
}).annotate({ identifier: "Cohorts" })
export interface Cohorts extends Schema.Schema.Type<typeof Cohorts> {}

/** Which clicks count as returning; the range also selects the first clicks. */
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

/** Members of a cohort who clicked so many weeks after its week. */
export interface CohortWeek {
  readonly week: Date
  /** All members. */
  readonly visitors: number
  /** Null if none has clicked. */
  readonly later: number | null
  readonly returned: number
}

/** The cohorts of rows in order of `week` and `later`. */
export const toCohorts = (rows: ReadonlyArray<CohortWeek>): Cohorts => {
  const cohorts = groupedBy(rows, ({ week }) => week.getTime())
  return {
    cohorts: Array.from(cohorts.values(), (members) => {
      const [first] = members
      const returned = Array.from({ length: (members.at(-1)?.later ?? -1) + 1 }, () => 0)
      for (const { later, returned: count } of members) if (later !== null) returned[later] = count
      return { week: first?.week ?? new Date(0), visitors: first?.visitors ?? 0, returned }
    })
  }
}
