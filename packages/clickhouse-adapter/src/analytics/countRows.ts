import type { Ranking } from "@clicks/core/analytics/AnalyticsQuery"
import { type ClickAnalyticsError, tooManyRows } from "@clicks/core/analytics/ClickAnalyticsError"
import type { CountedRows, CountRequest, CountRow, Counts } from "@clicks/core/analytics/ClickCounts"
import type { ClickAction } from "@clicks/core/clicks/ClickEvent"
import { actions } from "@clicks/core/clicks/ClickFilter"
import { Effect } from "effect"
import type { ClickHouse, ClickHouseError } from "../ClickHouse.ts"
import { indexFirst, matchesNothing } from "../clicks/clickConditions.ts"
import { isEmpty, spanOf } from "../clicks/instants.ts"
import { and, literal } from "../sqlText.ts"
import { type Clicks, countedClicks, type Period } from "./countedClicks.ts"
import { daysOf } from "./daysOf.ts"
import { currentSlots, earlierSlots, evenSlots } from "./timeSlots.ts"

const measured = (["clicks", "visitors", ...actions] as const).flatMap((name) => [`${name}_0`, `${name}_1`])

/** The counts of a period as columns; zeros without a comparison. */
const measures = (period: 0 | 1, { earlier, visitors }: CountRequest): ReadonlyArray<string> => {
  if (period === 1 && earlier === undefined)
    return measured.filter((name) => name.endsWith("_1")).map((name) => `toInt64(0) as ${name}`)
  const known = `uniqExactIf(who, period = ${period} and who != 0)`
  return [
    `sumIf(clicks, period = ${period}) as clicks_${period}`,
    visitors
      ? `if(clicks_${period} > 0, nullIf(${known}, 0), toNullable(toUInt64(0))) as visitors_${period}`
      : `null as visitors_${period}`,
    ...actions.map(
      (action) => `sumIf(clicks, period = ${period} and name = ${literal(action)}) as ${action}_${period}`
    )
  ]
}

const inOrder = (fields: ReadonlyArray<string>, isReversed: boolean): ReadonlyArray<string> =>
  fields.map((_, index) => `key_${index} ${isReversed ? "desc nulls first" : "asc nulls last"}`)

const orderOf = (fields: ReadonlyArray<string>, { descending, sort }: Ranking): ReadonlyArray<string> => {
  if (sort === "key") return inOrder(fields, descending)
  const measure = sort === "total" ? "clicks_0" : sort === "change" ? "clicks_0 - clicks_1" : `${sort}_0`
  return [`${measure} ${descending ? "desc" : "asc"}`, ...inOrder(fields, false)]
}

const isRanked = (ranking: Ranking | undefined): ReadonlyArray<string> =>
  ranking === undefined || ranking.without.length === 0
    ? []
    : ["clicks_0 > 0", ...ranking.without.map((action) => `${action}_0 = 0`)]

const statement = (request: CountRequest, periods: ReadonlyArray<Period>, clicks: Clicks): string => {
  const { axis, fields, limit, ranking } = request
  const keys = [...fields.map((_, index) => `key_${index}`), ...(axis ? ["slot"] : [])]
  const columns = [
    ...keys,
    ...measures(0, request),
    ...measures(1, request),
    "sumIf(unidentified, period = 0) as unidentified_0"
  ]
  const groups = `select ${columns.join(", ")} from (${countedClicks(request, periods, clicks)})
    ${keys.length === 0 ? "" : `group by ${keys.join(", ")} having clicks_0 != 0 or clicks_1 != 0`}`
  const order = ranking === undefined ? [] : orderOf(fields, ranking)
  return `select ${[...keys, ...measured].join(", ")}, count() over (), sum(unidentified_0) over ()
    from (${groups}) where ${and(isRanked(ranking))}
    ${order.length === 0 ? "" : `order by ${order.join(", ")}`} limit ${limit} settings ${indexFirst}`
}

type Value = string | number | null

const toRow = ({ axis, fields }: CountRequest, line: string) => {
  const values: ReadonlyArray<Value> = JSON.parse(line)
  const first = fields.length + (axis ? 1 : 0)
  const number = (index: number) => Number(values[first + index])
  const counts = (period: 0 | 1): Counts => ({
    clicks: number(period),
    visitors: values[first + 2 + period] === null ? null : number(2 + period),
    actions: Object.fromEntries(
      actions.map((action, index) => [action, number(4 + 2 * index + period)])
    ) as Record<ClickAction, number>
  })
  const row: CountRow = {
    keys: values.slice(0, fields.length).map((key) => (key === null ? null : String(key))),
    slot: axis && number(-1),
    current: counts(0),
    previous: counts(1)
  }
  return { row, total: number(measured.length), unidentified: number(measured.length + 1) }
}

/** The periods of a request that have instants, with the slots of their clicks. */
const periodsOf = Effect.fnUntraced(function* (
  clickHouse: ClickHouse["Service"],
  clicks: Clicks,
  { axis, earlier, filter }: CountRequest
) {
  const current = spanOf(filter)
  const previous = earlier && spanOf(earlier)
  const spans = [current, ...(previous ? [previous] : [])].filter((span) => !isEmpty(span))
  const even = axis && evenSlots(axis)
  const needsDays = axis !== undefined && (even === undefined || previous !== undefined)
  const days = needsDays ? yield* daysOf(clickHouse, clicks, spans) : []
  if (days === undefined) return yield* tooManyRows("groups")
  const periods: ReadonlyArray<Period> = [
    { number: 0, span: current, slots: even ?? (axis && currentSlots(days, axis)) },
    ...(previous && earlier
      ? [{ number: 1 as const, span: previous, slots: axis && earlierSlots(days, axis, earlier, filter) }]
      : [])
  ]
  return periods.filter(({ span }) => !isEmpty(span))
})

const none = (visitors: boolean): Counts => ({
  clicks: 0,
  visitors: visitors ? 0 : null,
  actions: Object.fromEntries(actions.map((action) => [action, 0])) as Record<ClickAction, number>
})

/** The rows if there are no clicks: one row of zeros if the request has no groups, else none. */
const empty = ({ axis, fields, visitors }: CountRequest): CountedRows => {
  const counts = { current: none(visitors), previous: none(visitors) }
  const isWhole = fields.length === 0 && axis === undefined
  return isWhole
    ? { rows: [{ keys: [], slot: undefined, ...counts }], total: 1, unidentified: 0 }
    : { rows: [], total: 0, unidentified: 0 }
}

/** Counts the rows of a request. */
export const countRows =
  (clickHouse: ClickHouse["Service"], clicks: Clicks) =>
  (request: CountRequest): Effect.Effect<CountedRows, ClickHouseError | ClickAnalyticsError> =>
    Effect.gen(function* () {
      // Without the range: even if it is empty, the earlier period may have clicks.
      const { from: _, to: __, ...values } = request.filter
      if (matchesNothing(values)) return empty(request)
      const periods = yield* periodsOf(clickHouse, clicks, request)
      if (periods.length === 0) return empty(request)
      const lines = yield* clickHouse.lines(statement(request, periods, clicks))
      const rows = lines.map((line) => toRow(request, line))
      return {
        rows: rows.map(({ row }) => row),
        total: rows[0]?.total ?? 0,
        unidentified: rows[0]?.unidentified ?? 0
      }
    })
