import * as AnalyticsQuery from "@clicks/core/analytics/AnalyticsQuery"
import { ClickAnalytics, type Unidentified } from "@clicks/core/analytics/ClickAnalytics"
import * as Funnel from "@clicks/core/analytics/Funnel"
import { Effect } from "effect"
import { orUsageError, toParameters } from "../CommandError.ts"
import * as Database from "../Database.ts"
import { countOf, grouped } from "../terminal/format.ts"
import * as Output from "../terminal/Output.ts"
import { funnelTable, groupTable } from "./statsTables.ts"

/** The options other than filters, which core parses. */
interface StatsOptions extends Output.Format {
  readonly groupBy?: ReadonlyArray<string>
  readonly interval?: string
  readonly funnel?: string
  readonly limit?: string
}

/** Default limit of a table. Does not apply to a time axis, which would lose its end. */
const readable = "40"

const limitOf = ({ interval, json, limit }: StatsOptions) =>
  limit ?? (json || interval !== undefined ? undefined : readable)

/** What groups and funnels have in common. */
interface Answer extends Unidentified {
  readonly groups: ReadonlyArray<unknown>
  readonly total: number
}

const show = Effect.fnUntraced(function* (
  { json }: StatsOptions,
  { unidentified, ...answer }: Answer,
  toTable: (width: number) => string,
  noun: string
) {
  if (json) return yield* Output.json(answer)
  const { groups, total } = answer
  if (groups.length > 0) yield* Output.line(toTable(Output.width()))
  yield* Output.footer(
    groups.length < total
      ? `${grouped(groups.length)} of ${countOf(total, noun)}. Use --limit to show more`
      : countOf(total, noun)
  )
  if (unidentified === 0) return
  const verb = unidentified === 1 ? "identifies" : "identify"
  yield* Output.footer(`Visitors are incomplete: ${countOf(unidentified, "click")} ${verb} no visitor`)
})

const countGroups = Effect.fnUntraced(function* (options: StatsOptions) {
  const { groupBy = options.interval === undefined ? ["action"] : [] } = options
  const parameters = toParameters({ ...options, limit: limitOf(options) })
  const query = yield* orUsageError(AnalyticsQuery.parse(parameters, groupBy))
  const answer = yield* ClickAnalytics.use(({ groups }) => groups(query)).pipe(Effect.provide(Database.layer))
  yield* show(options, answer, (width) => groupTable(answer.groups, query, width), "group")
})

const countFunnels = Effect.fnUntraced(function* (options: StatsOptions, groupBy: string) {
  const parameters = toParameters({ ...options, groupBy, limit: limitOf(options) })
  const query = yield* orUsageError(Funnel.parseQuery(parameters))
  const answer = yield* ClickAnalytics.use(({ funnel }) => funnel(query)).pipe(Effect.provide(Database.layer))
  yield* show(options, answer, (width) => funnelTable(answer, width), "funnel")
})

/** `clicks stats`: counts of clicks and visitors, with bars. */
export const stats = Effect.fn("stats")((options: StatsOptions) =>
  options.funnel === undefined ? countGroups(options) : countFunnels(options, options.funnel)
)
