import type { Cohorts } from "@clicks/core/analytics/Cohorts"
import type { TimeAxis } from "@clicks/core/analytics/Interval"
import type { ProductPairs } from "@clicks/core/analytics/ProductPairs"
import type { VisitorBuckets } from "@clicks/core/analytics/VisitorBuckets"
import type { TimeZone } from "@clicks/core/values/TimeZone"
import { grouped } from "../terminal/format.ts"
import { type Column, table } from "../terminal/Table.ts"
import { barTable } from "./barTable.ts"
import type { CsvRecord } from "./Report.ts"
import { bucketText, percent } from "./statsColumns.ts"

const count = <A>(title: string, value: (row: A) => number): Column<A> => ({
  title,
  cell: (row) => grouped(value(row)),
  isNumber: true
})

type Bucket = VisitorBuckets["buckets"][number]

/** New and returning visitors per bucket, with bars of all. */
export const visitorTable = ({ buckets }: VisitorBuckets, axis: TimeAxis, width: number): string => {
  if (buckets.length === 0) return ""
  const max = buckets.reduce((most, { visitors }) => Math.max(most, visitors), 0)
  return barTable<Bucket>(
    buckets,
    [
      { title: axis.interval, cell: ({ bucket }) => bucketText(bucket, axis), isWhole: true },
      count("visitors", ({ visitors }) => visitors),
      count("new", (row) => row.new),
      count("returning", ({ returning }) => returning)
    ],
    ({ visitors }) => ({ value: visitors, max }),
    width
  )
}

export const visitorRecords = ({ buckets }: VisitorBuckets, axis: TimeAxis): ReadonlyArray<CsvRecord> =>
  buckets.map(({ bucket, ...row }) => ({ [axis.interval]: bucketText(bucket, axis), ...row }))

const weekOf = (timeZone: TimeZone) => ({ interval: "week", timeZone }) as const

/** Visitors per week of first click, and the share of them that returned in each later week. */
export const cohortTable = ({ cohorts }: Cohorts, timeZone: TimeZone, width: number): string => {
  if (cohorts.length === 0) return ""
  const longest = cohorts.reduce((most, { returned }) => Math.max(most, returned.length), 0)
  // A week and the visitors take 22 columns, a rate 9.
  const shown = Math.min(longest - 1, Math.max(1, Math.floor((width - 22) / 9)))
  type Cohort = (typeof cohorts)[number]
  const later = Array.from({ length: shown }, (_, index): Column<Cohort> => {
    const weeks = index + 1
    return {
      title: `+${weeks}`,
      cell: ({ returned, visitors }) =>
        returned[weeks] === undefined ? "" : percent(returned[weeks] / visitors),
      isNumber: true
    }
  })
  return table<Cohort>(
    [
      { title: "first week", cell: ({ week }) => bucketText(week, weekOf(timeZone)), isWhole: true },
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
      first_week: bucketText(week, weekOf(timeZone)),
      visitors,
      weeks_later,
      returned: back
    }))
  )

/** Pairs of products, with bars of their visits. */
export const pairTable = ({ pairs }: ProductPairs, width: number): string => {
  if (pairs.length === 0) return ""
  type Pair = (typeof pairs)[number]
  const max = pairs.reduce((most, { visits }) => Math.max(most, visits), 0)
  return barTable<Pair>(
    pairs,
    [
      { title: "product_id", cell: ({ products }) => products[0] ?? "" },
      { title: "other product_id", cell: ({ products }) => products[1] ?? "" },
      count("visits", ({ visits }) => visits),
      count("visitors", ({ visitors }) => visitors)
    ],
    ({ visits }) => ({ value: visits, max }),
    width
  )
}

export const pairRecords = ({ pairs }: ProductPairs): ReadonlyArray<CsvRecord> =>
  pairs.map(({ products, ...counts }) => ({
    product_id: products[0] ?? "",
    other_product_id: products[1] ?? "",
    ...counts
  }))
