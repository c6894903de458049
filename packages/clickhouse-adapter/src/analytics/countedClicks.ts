import type { CountRequest } from "@clicks/core/analytics/ClickCounts"
import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { equalityFields } from "@clicks/core/clicks/ClickFilter"
import type { Cut } from "@clicks/core/clicks/tiers/Cut"
import { unstorableReason } from "@clicks/core/values/Text"
import { typeOf } from "../clicks/clickColumns.ts"
import { hasValues, isContained, isLeftOut, isWithin } from "../clicks/clickConditions.ts"
import { always, origin, type Span, split } from "../clicks/instants.ts"
import { countedUnit, type Unit, units } from "../clicks/projections.ts"
import { visitorColumns, visitorNumber } from "../createTables.ts"
import { and, literal } from "../sqlText.ts"
import type { Slots } from "./timeSlots.ts"

/** The clicks to count: those of the archive that the cut contains, and the hot ones. */
export interface Clicks {
  readonly table: string
  readonly cut: Cut
  readonly hot: ReadonlyArray<ClickEvent>
}

type Field = Exclude<keyof ClickEvent, "id" | "event_type">

/** Hot clicks as a table with these columns and the number of the visitor. */
export const hotTable = (hot: ReadonlyArray<ClickEvent>, fields: Iterable<Field>): string => {
  const columns = Array.from(new Set<Field>([...fields, "occurred_at", ...visitorColumns]))
  const structure = columns.map((column) => `${column} ${typeOf(column)}`).join(", ")
  const lines = hot.map((click) =>
    JSON.stringify(
      columns.map((column) => (click[column] instanceof Date ? click[column].getTime() : click[column]))
    )
  )
  const rows = `format(JSONCompactEachRow, ${literal(structure)}, ${literal(lines.join("\n"))})`
  return `(select *, ${visitorNumber} as visitor from ${rows})`
}

/** One of the periods of a request: 0 is the current one, 1 the earlier one. */
export interface Period {
  readonly number: 0 | 1
  readonly span: Span
  readonly slots: Slots | undefined
}

/** The condition that the first fields have one of the wanted sets of values. A field is compared as a pair: whether it is null, and its text. */
const isAmong = ({ fields, only }: CountRequest): ReadonlyArray<string> => {
  if (only === undefined) return []
  const storable = only.filter((keys) => keys.every((key) => unstorableReason(key ?? "") === undefined))
  if (storable.length === 0) return ["false"]
  const asked = fields.slice(0, storable[0]?.length ?? 0)
  const [field, ...others] = asked
  // ClickHouse evaluates this form once per word of a dictionary instead of once per row.
  if (field !== undefined && others.length === 0) {
    const texts = storable.flatMap((keys) => keys.flatMap((key) => (key === null ? [] : [literal(key)])))
    const isText = texts.length === 0 ? [] : [`${field} in (${texts})`]
    return [[...isText, ...(texts.length < storable.length ? [`${field} is null`] : [])].join(" or ")]
  }
  const own = asked.map((field) => `${field} is null, ifNull(${field}, '')`)
  const given = storable.map(
    (keys) => `(${keys.map((key) => `${Number(key === null)}, ${literal(key ?? "")}`)})`
  )
  return [`(${own.join(", ")}) in (${given.join(", ")})`]
}

/** The conditions of a request on each click, except its time. */
const isWanted = (request: CountRequest): ReadonlyArray<string> => [
  ...hasValues(request.filter),
  ...(request.actions === undefined ? [] : [`action in (${request.actions.map(literal)})`]),
  ...isAmong(request)
]

const askedFields = ({ fields, filter }: CountRequest) => [
  ...fields,
  ...equalityFields.filter((field) => filter[field] !== undefined)
]

/** The unit of the counts that answer a request; undefined if clicks must be read one by one, for example to count visitors. */
const unitFor = (request: CountRequest, { slots }: Period): Unit | undefined => {
  const unit = request.visitors ? undefined : countedUnit(askedFields(request))
  return unit !== undefined && (slots === undefined || slots.isConstantIn(units[unit])) ? unit : undefined
}

/** The period, the keys, the `slot` of the instant `at`, and the action as `name`. */
const keysOf = ({ fields }: CountRequest, { number, slots }: Period, at: string): ReadonlyArray<string> => [
  `${number} as period`,
  ...fields.map((field, index) => `${field} as key_${index}`),
  ...(slots ? [`${slots.slot(at)} as slot`] : []),
  "action as name"
]

/** Selects the clicks of a table one by one. */
const single = (request: CountRequest, period: Period, from: string, conditions: ReadonlyArray<string>) => {
  const columns = [
    ...keysOf(request, period, "occurred_at"),
    `${request.visitors ? "visitor" : "toUInt64(0)"} as who`,
    "toInt64(1) as clicks",
    "toInt64(visitor = 0) as unidentified"
  ]
  return `select ${columns.join(", ")} from ${from} where ${and(conditions)}`
}

/** Counts the clicks of a table by their keys. */
const grouped = (
  request: CountRequest,
  period: Period,
  from: string,
  conditions: ReadonlyArray<string>,
  { at = "occurred_at", sign = "" } = {}
) => {
  const columns = [
    ...keysOf(request, period, at),
    "toUInt64(0) as who",
    `${sign}toInt64(count()) as clicks`,
    `${sign}toInt64(countIf(visitor = 0)) as unidentified`
  ]
  const keys = [...request.fields, ...(period.slots ? ["slot"] : []), "action"].join(", ")
  return `select ${columns.join(", ")} from ${from} where ${and(conditions)} group by ${keys}`
}

const archived = (request: CountRequest, period: Period, { cut, table }: Clicks): ReadonlyArray<string> => {
  const { span } = period
  const wanted = isWanted(request)
  const unit = unitFor(request, period)
  if (unit === undefined)
    return [single(request, period, table, [...wanted, ...isWithin(span), ...isContained(cut)])]
  const { edges, whole } = split(span, units[unit])
  const inUnits = whole && isWithin(whole, unit, split(always, units[unit]).whole)
  const at = `(toInt64(${unit}) * ${units[unit]} - ${origin})`
  return [
    ...(inUnits ? [grouped(request, period, table, [...wanted, ...inUnits], { at })] : []),
    ...edges.map((edge) => grouped(request, period, table, [...wanted, ...isWithin(edge)])),
    grouped(request, period, table, [...wanted, ...isWithin(span), isLeftOut(cut)], { sign: "-" })
  ]
}

/**
 * The clicks that a request counts, as rows `period, key_0 …, slot, name, who, clicks, unidentified`. `name` is the action; `who` is the
 * number of the visitor, 0 if there is none or visitors are not counted. Clicks that the cut leaves out are subtracted by negative rows.
 */
export const countedClicks = (
  request: CountRequest,
  periods: ReadonlyArray<Period>,
  clicks: Clicks
): string => {
  const hot = clicks.hot.length > 0 ? hotTable(clicks.hot, ["action", ...askedFields(request)]) : undefined
  return periods
    .flatMap((period) => [
      ...archived(request, period, clicks),
      ...(hot ? [single(request, period, hot, [...isWanted(request), ...isWithin(period.span)])] : [])
    ])
    .join(" union all ")
}
