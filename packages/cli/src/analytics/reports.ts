import * as AnalyticsQuery from "@clicks/core/analytics/AnalyticsQuery"
import { ClickAnalytics } from "@clicks/core/analytics/ClickAnalytics"
import type { ClickAnalyticsError } from "@clicks/core/analytics/ClickAnalyticsError"
import * as Cohorts from "@clicks/core/analytics/Cohorts"
import * as FunnelQuery from "@clicks/core/analytics/FunnelQuery"
import { isTimeAxis } from "@clicks/core/analytics/Interval"
import * as ProductPairs from "@clicks/core/analytics/ProductPairs"
import * as VisitorBuckets from "@clicks/core/analytics/VisitorBuckets"
import type { InvalidInput } from "@clicks/core/values/InvalidInput"
import type { QueryParameters } from "@clicks/core/values/QueryParameters"
import { Effect, type Result } from "effect"
import { orUsageError, toParameters, type UsageError } from "../CommandError.ts"
import { type TimeOptions, timeZoneOf } from "../clicks/timeOptions.ts"
import { countOf, grouped, toSecond } from "../terminal/format.ts"
import type { Format } from "../terminal/Output.ts"
import type { CsvRecord } from "./csvText.ts"
import { funnelRecords, funnelTable } from "./funnelTable.ts"
import { groupTable } from "./groupTables.ts"
import { bucketText } from "./statsColumns.ts"
import { cohortRecords, cohortTable, pairRecords, pairTable, visitorTable } from "./visitorTables.ts"

/** A result in each format. */
export interface Report {
  /** The HTTP API's response. */
  readonly answer: unknown
  readonly records: ReadonlyArray<CsvRecord>
  /** The table for a terminal of this width; empty if there are no rows. */
  readonly table: (width: number) => string
  /** Lines below the table. */
  readonly notes: ReadonlyArray<string>
}

/** The options other than filters, which core parses. */
export interface StatsOptions extends Format, TimeOptions {
  readonly groupBy?: ReadonlyArray<string>
  readonly interval?: string
  readonly bucket?: string
  readonly pivot?: string
  readonly funnel?: string
  readonly returning?: boolean
  readonly cohorts?: boolean
  readonly pairs?: boolean
  readonly limit?: string
  readonly format: "table" | "json" | "csv"
}

/** Default limit of a table of groups. */
const tableLimit = "40"

/** The options as parameters of the HTTP API. */
const parametersOf = (options: StatsOptions): QueryParameters => {
  const { bucket, format, interval, json, limit } = options
  const isTable = format === "table" && !json && interval === undefined && bucket === undefined
  const given = Object.entries(
    toParameters({ ...options, limit: limit ?? (isTable ? tableLimit : undefined) })
  )
  return Object.fromEntries(
    given.map(([name, value]) => [name, typeof value === "boolean" ? String(value) : value])
  )
}

const countNote = (shown: number, total: number, noun: string): string =>
  shown < total
    ? `${grouped(shown)} of ${countOf(total, noun)}. Use --limit to show more`
    : countOf(total, noun)

const unidentifiedNotes = (unidentified: number): ReadonlyArray<string> => {
  if (unidentified === 0) return []
  const verb = unidentified === 1 ? "identifies" : "identify"
  return [`Visitors are incomplete: ${countOf(unidentified, "click")} ${verb} no visitor`]
}

const comparedNotes = (
  { compared }: { readonly compared?: { readonly from: Date; readonly to: Date } },
  options: StatsOptions
): ReadonlyArray<string> => {
  if (compared === undefined) return []
  const [from, to] = [compared.from, compared.to].map((instant) => toSecond(instant, timeZoneOf(options)))
  return [`Compared with ${from} to ${to}`]
}

/** Nested counts as columns: `previous.clicks` is `previous_clicks`, `actions.view` is `view`. */
const flat = (row: object, prefix = ""): CsvRecord =>
  Object.assign(
    {},
    ...Object.entries(row).map(([name, value]) => {
      if (typeof value !== "object" || value === null) return { [prefix + name]: value }
      return flat(value, name === "actions" ? prefix : `${prefix}${name}_`)
    })
  )

const bucketRecords = (
  rows: ReadonlyArray<{ readonly bucket?: Date }>,
  axis: AnalyticsQuery.AnalyticsQuery["axis"]
): ReadonlyArray<CsvRecord> =>
  rows.map(({ bucket, ...row }) => ({
    ...(bucket && axis && isTimeAxis(axis) && { [axis.interval]: bucketText(bucket, axis) }),
    ...flat(row)
  }))

type Counting<A> = Effect.Effect<A, ClickAnalyticsError, ClickAnalytics>

/** Parses the options now and fails if they are invalid. The returned effect counts and makes the report each time it runs. */
const reporting = <Query, Answer>(
  parsed: Result.Result<Query, InvalidInput>,
  count: (query: Query) => Counting<Answer>,
  toReport: (answer: Answer, query: Query) => Report
): Effect.Effect<Counting<Report>, UsageError> =>
  Effect.map(orUsageError(parsed), (query) => Effect.map(count(query), (answer) => toReport(answer, query)))

const ofGroups = (options: StatsOptions) => {
  const { bucket, groupBy, interval, pivot } = options
  const isWhole = (groupBy ?? interval ?? bucket ?? pivot) === undefined
  return reporting(
    AnalyticsQuery.parse({ ...parametersOf(options), ...(isWhole && { group_by: "action" }) }),
    (query) => ClickAnalytics.use(({ groups }) => groups(query)),
    ({ unidentified, ...answer }, query) => {
      const isSeries = query.axis !== undefined && query.groupBy.length > 0
      const shown = isSeries ? Math.min(query.limit, answer.total) : answer.groups.length
      const time = query.axis && isTimeAxis(query.axis) ? query.axis.interval : "hour"
      const noun = query.groupBy.length > 0 || query.axis === undefined ? "group" : time
      return {
        answer,
        records: bucketRecords(answer.groups, query.axis),
        table: (width) => groupTable(answer, query, width),
        notes: [
          countNote(shown, answer.total, noun),
          ...comparedNotes(answer, options),
          ...unidentifiedNotes(query.visitors ? unidentified : 0)
        ]
      }
    }
  )
}

const ofFunnels = (options: StatsOptions, groupBy: string) =>
  reporting(
    FunnelQuery.parse({ ...parametersOf(options), group_by: groupBy }),
    (query) => ClickAnalytics.use(({ funnel }) => funnel(query)),
    ({ unidentified, ...answer }, { visitors }) => ({
      answer,
      records: funnelRecords(answer),
      table: (width) => funnelTable(answer, width),
      notes: [
        countNote(answer.groups.length, answer.total, "funnel"),
        ...comparedNotes(answer, options),
        ...unidentifiedNotes(visitors ? unidentified : 0)
      ]
    })
  )

const ofVisitors = (options: StatsOptions) =>
  reporting(
    VisitorBuckets.parse(parametersOf(options)),
    (query) => ClickAnalytics.use(({ visitors }) => visitors(query)),
    (answer, { axis }) => {
      const { new: fresh, returning, visitors } = answer.total
      return {
        answer,
        records: bucketRecords(answer.buckets, axis),
        table: (width) => visitorTable(answer, axis, width),
        notes: [
          `In the whole range: ${countOf(visitors, "visitor")}, ${grouped(fresh)} new and ${grouped(returning)} returning`
        ]
      }
    }
  )

const ofCohorts = (options: StatsOptions) =>
  reporting(
    Cohorts.parse(parametersOf(options)),
    (query) => ClickAnalytics.use(({ cohorts }) => cohorts(query)),
    (answer, { timeZone }) => ({
      answer,
      records: cohortRecords(answer, timeZone),
      table: (width) => cohortTable(answer, timeZone, width),
      notes: [countOf(answer.cohorts.length, "cohort")]
    })
  )

const leftOut = (visits: number): string =>
  `Left out: ${countOf(visits, "visit")} with more than ${ProductPairs.maxProducts} products`

const ofPairs = (options: StatsOptions) =>
  reporting(
    ProductPairs.parse(parametersOf(options)),
    (query) => ClickAnalytics.use(({ pairs }) => pairs(query)),
    (answer) => ({
      answer,
      records: pairRecords(answer),
      table: (width) => pairTable(answer, width),
      notes: [
        countNote(answer.pairs.length, answer.total, "pair"),
        ...(answer.skipped > 0 ? [leftOut(answer.skipped)] : [])
      ]
    })
  )

/** The report that the options select. */
export const reportOf = (options: StatsOptions) => {
  if (options.funnel !== undefined) return ofFunnels(options, options.funnel)
  if (options.returning) return ofVisitors(options)
  if (options.cohorts) return ofCohorts(options)
  return options.pairs ? ofPairs(options) : ofGroups(options)
}
