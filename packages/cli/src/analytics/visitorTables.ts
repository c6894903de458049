import type { Cohorts } from "@clicks/core/analytics/Cohorts"
import type { TimeAxis } from "@clicks/core/analytics/Interval"
import type { ProductPairs } from "@clicks/core/analytics/ProductPairs"
import type { VisitorBuckets } from "@clicks/core/analytics/VisitorBuckets"
import type { TimeZone } from "@clicks/core/values/TimeZone"
import { table } from "../terminal/Table.ts"
import { bars } from "./charts.ts"
import type { CsvRecord } from "./csvText.ts"
import { bucketText, count, rate } from "./statsColumns.ts"

type Bucket = VisitorBuckets["buckets"][number]

/** New and returning visitors per bucket, with bars of all. */
export const visitorTable = ({ buckets }: VisitorBuckets, axis: TimeAxis, width: number): string =>
  table<Bucket>(
    [
      { title: axis.interval, cell: ({ bucket }) => bucketText(bucket, axis), isWhole: true },
      count("visitors", ({ visitors }) => visitors),
      count("new", (row) => row.new),
      count("returning", ({ returning }) => returning),
      bars(buckets, ({ visitors }) => visitors)
    ],
    buckets,
    width
  )

type Cohort = Cohorts["cohorts"][number]

const weekText = (week: Date, timeZone: TimeZone) => bucketText(week, { interval: "week", timeZone })

/** Visitors by week of first click, and the share of them that returned in each later week. Weeks that do not fit the width are omitted. */
export const cohortTable = ({ cohorts }: Cohorts, timeZone: TimeZone, width: number): string => {
  const longest = cohorts.reduce((most, { returned }) => Math.max(most, returned.length), 1)
  const later = Array.from({ length: longest - 1 }, (_, index) => {
    const weeks = index + 1
    const rateOf = ({ returned, visitors }: Cohort) =>
      returned[weeks] === undefined ? null : returned[weeks] / visitors
    return rate(`+${weeks}`, rateOf, index)
  })
  return table<Cohort>(
    [
      { title: "first week", cell: ({ week }) => weekText(week, timeZone), isWhole: true },
      count("visitors", ({ visitors }) => visitors),
      ...later
    ],
    cohorts,
    width
  )
}

export const cohortRecords = ({ cohorts }: Cohorts, timeZone: TimeZone): ReadonlyArray<CsvRecord> =>
  cohorts.flatMap(({ returned, visitors, week }) =>
    returned.map((back, weeks_later) => ({
      first_week: weekText(week, timeZone),
      visitors,
      weeks_later,
      returned: back
    }))
  )

type Pair = ProductPairs["pairs"][number]

/** Pairs of products, with bars of their visits. */
export const pairTable = ({ pairs }: ProductPairs, width: number): string =>
  table<Pair>(
    [
      { title: "product_id", cell: ({ products }) => products[0] ?? "" },
      { title: "other product_id", cell: ({ products }) => products[1] ?? "" },
      count("visits", ({ visits }) => visits),
      count("visitors", ({ visitors }) => visitors),
      bars(pairs, ({ visits }) => visits)
    ],
    pairs,
    width
  )

export const pairRecords = ({ pairs }: ProductPairs): ReadonlyArray<CsvRecord> =>
  pairs.map(({ products, ...counts }) => ({
    product_id: products[0] ?? "",
    other_product_id: products[1] ?? "",
    ...counts
  }))
