import * as AnalyticsQuery from "@clicks/core/analytics/AnalyticsQuery"
import { ClickAnalytics } from "@clicks/core/analytics/ClickAnalytics"
import * as FunnelQuery from "@clicks/core/analytics/FunnelQuery"
import { Effect } from "effect"
import { orUsageError } from "../CommandError.ts"
import { type FilterOptions, toFilterParameters } from "../clicks/FilterOptions.ts"
import * as Database from "../Database.ts"
import { countOf, grouped } from "../terminal/format.ts"
import * as Output from "../terminal/Output.ts"
import { funnelTable, groupTable } from "./statsTables.ts"

export interface StatsOptions extends FilterOptions {
  readonly groupBy?: ReadonlyArray<string>
  readonly interval?: string
  readonly funnel?: string
  readonly limit?: string
  readonly json: boolean
}

/** Default limit of a table. Does not apply to a time axis, which would lose its end. */
const readable = "40"

const limitOf = ({ interval, json, limit }: StatsOptions) =>
  limit ?? (json || interval !== undefined ? undefined : readable)

const showTable = Effect.fnUntraced(function* (text: string, shown: number, total: number, noun: string) {
  if (shown > 0) yield* Output.line(text)
  const more = shown < total ? `${grouped(shown)} of ` : ""
  yield* Output.footer(`${more}${countOf(total, noun)}${more === "" ? "" : ". Use --limit to show more"}`)
})

const countGroups = Effect.fnUntraced(function* (options: StatsOptions) {
  const { groupBy = options.interval === undefined ? ["action"] : [], interval } = options
  const parameters = { ...toFilterParameters(options), interval, limit: limitOf(options) }
  const query = yield* orUsageError(AnalyticsQuery.parse(parameters, groupBy))
  const answer = yield* ClickAnalytics.use(({ groups }) => groups(query)).pipe(Effect.provide(Database.layer))
  if (options.json) return yield* Output.json(answer)
  const { groups, total } = answer
  yield* showTable(groupTable(groups, query, Output.width()), groups.length, total, "group")
})

const countFunnels = Effect.fnUntraced(function* (options: StatsOptions, groupBy: string) {
  const parameters = { ...toFilterParameters(options), group_by: groupBy, limit: limitOf(options) }
  const query = yield* orUsageError(FunnelQuery.parse(parameters))
  const answer = yield* ClickAnalytics.use(({ funnel }) => funnel(query)).pipe(Effect.provide(Database.layer))
  if (options.json) return yield* Output.json(answer)
  yield* showTable(funnelTable(answer, Output.width()), answer.groups.length, answer.total, "funnel")
})

/** `clicks stats`: counts of clicks and visitors, with bars. */
export const stats = Effect.fn("stats")((options: StatsOptions) =>
  options.funnel === undefined ? countGroups(options) : countFunnels(options, options.funnel)
)
