import * as AnalyticsQuery from "@clicks/core/analytics/AnalyticsQuery"
import { ClickAnalytics } from "@clicks/core/analytics/ClickAnalytics"
import type { ClickGroup } from "@clicks/core/analytics/ClickGroup"
import * as Cohorts from "@clicks/core/analytics/Cohorts"
import * as FunnelQuery from "@clicks/core/analytics/FunnelQuery"
import { isTimeAxis } from "@clicks/core/analytics/Interval"
import * as ProductPairs from "@clicks/core/analytics/ProductPairs"
import * as VisitorBuckets from "@clicks/core/analytics/VisitorBuckets"
import type { QueryParameters } from "@clicks/core/values/QueryParameters"
import { Effect } from "effect"
import { orUsageError, toParameters } from "../CommandError.ts"
import { type TimeOptions, timeZoneOf } from "../clicks/timeOptions.ts"
import { countOf, grouped, toSecond } from "../terminal/format.ts"
import type { Format } from "../terminal/Output.ts"
import { funnelRecords, funnelTable } from "./funnelTable.ts"
import { groupTable } from "./groupTables.ts"
import type { CsvRecord, Report } from "./Report.ts"
import { bucketText } from "./statsColumns.ts"
import {
  cohortRecords,
  cohortTable,
  pairRecords,
  pairTable,
  visitorRecords,
  visitorTable
} from "./visitorTables.ts"

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
const readable = "40"

/** The options as parameters of the HTTP API. */
const parametersOf = (options: StatsOptions): QueryParameters => {
  const { bucket, format, interval, json, limit } = options
  const isTable = format === "table" && !json && interval === undefined && bucket === undefined
  const given = Object.entries(toParameters({ ...options, limit: limit ?? (isTable ? readable : undefined) }))
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

const groupRecords = (
  groups: ReadonlyArray<ClickGroup>,
  { axis }: AnalyticsQuery.AnalyticsQuery
): ReadonlyArray<CsvRecord> =>
  groups.map(({ bucket, ...row }) => ({
    ...(bucket && axis && isTimeAxis(axis) && { [axis.interval]: bucketText(bucket, axis) }),
    ...flat(row)
  }))

const ofGroups = Effect.fnUntraced(function* (options: StatsOptions) {
  const { bucket, groupBy, interval, pivot } = options
  const isWhole =
    groupBy === undefined && interval === undefined && bucket === undefined && pivot === undefined
  const query = yield* orUsageError(
    AnalyticsQuery.parse({ ...parametersOf(options), ...(isWhole && { group_by: "action" }) })
  )
  return Effect.map(
    ClickAnalytics.use(({ groups }) => groups(query)),
    ({ unidentified, ...answer }): Report => {
      const isSeries = query.axis !== undefined && query.groupBy.length > 0
      const { length } = answer.groups
      const shown = isSeries ? Math.min(query.limit, answer.total) : length
      return {
        answer,
        records: groupRecords(answer.groups, query),
        table: (width) => groupTable(answer, query, width),
        notes: [
          countNote(
            shown,
            answer.total,
            query.groupBy.length > 0 || query.axis === undefined ? "group" : "bucket"
          ),
          ...comparedNotes(answer, options),
          ...unidentifiedNotes(query.visitors ? unidentified : 0)
        ]
      }
    }
  )
})

const ofFunnels = Effect.fnUntraced(function* (options: StatsOptions, groupBy: string) {
  const query = yield* orUsageError(FunnelQuery.parse({ ...parametersOf(options), group_by: groupBy }))
  return Effect.map(
    ClickAnalytics.use(({ funnel }) => funnel(query)),
    ({ unidentified, ...answer }): Report => ({
      answer,
      records: funnelRecords(answer),
      table: (width) => funnelTable(answer, width),
      notes: [
        countNote(answer.groups.length, answer.total, "funnel"),
        ...comparedNotes(answer, options),
        ...unidentifiedNotes(query.visitors ? unidentified : 0)
      ]
    })
  )
})

const ofVisitors = Effect.fnUntraced(function* (options: StatsOptions) {
  const query = yield* orUsageError(VisitorBuckets.parse(parametersOf(options)))
  return Effect.map(
    ClickAnalytics.use(({ visitors }) => visitors(query)),
    (answer): Report => {
      const { new: fresh, returning, visitors } = answer.total
      const total = `${countOf(visitors, "visitor")}: ${grouped(fresh)} new, ${grouped(returning)} returning`
      return {
        answer,
        records: visitorRecords(answer, query.axis),
        table: (width) => visitorTable(answer, query.axis, width),
        notes: [total]
      }
    }
  )
})

const ofCohorts = Effect.fnUntraced(function* (options: StatsOptions) {
  const query = yield* orUsageError(Cohorts.parse(parametersOf(options)))
  return Effect.map(
    ClickAnalytics.use(({ cohorts }) => cohorts(query)),
    (answer): Report => ({
      answer,
      records: cohortRecords(answer, query.timeZone),
      table: (width) => cohortTable(answer, query.timeZone, width),
      notes: [countOf(answer.cohorts.length, "cohort")]
    })
  )
})

const ofPairs = Effect.fnUntraced(function* (options: StatsOptions) {
  const query = yield* orUsageError(ProductPairs.parse(parametersOf(options)))
  return Effect.map(
    ClickAnalytics.use(({ pairs }) => pairs(query)),
    (answer): Report => ({
      answer,
      records: pairRecords(answer),
      table: (width) => pairTable(answer, width),
      notes: [
        countNote(answer.pairs.length, answer.total, "pair"),
        ...(answer.skipped > 0
          ? [
              `Left out: ${countOf(answer.skipped, "visit")} with more than ${ProductPairs.maxProducts} products`
            ]
          : [])
      ]
    })
  )
})

/** What the options ask for, as an effect that counts when it runs; fails if they are invalid. */
export const reportOf = (options: StatsOptions) => {
  if (options.funnel !== undefined) return ofFunnels(options, options.funnel)
  if (options.returning) return ofVisitors(options)
  if (options.cohorts) return ofCohorts(options)
  return options.pairs ? ofPairs(options) : ofGroups(options)
}
