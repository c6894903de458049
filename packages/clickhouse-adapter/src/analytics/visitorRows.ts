import { type CohortQuery, type CohortWeek, maxCohorts } from "@clicks/core/analytics/Cohorts"
import { maxProducts, type PairQuery, type ProductPairs } from "@clicks/core/analytics/ProductPairs"
import type { VisitorBuckets, VisitorQuery } from "@clicks/core/analytics/VisitorBuckets"
import { type ClickFilter, equalityFields } from "@clicks/core/clicks/ClickFilter"
import { unstorableReason } from "@clicks/core/values/Text"
import { Effect } from "effect"
import type { ClickHouse } from "../ClickHouse.ts"
import { hasValues, isContained, isWithin, matchesNothing } from "../clicks/clickConditions.ts"
import { day, spanOf } from "../clicks/instants.ts"
import { and, literal } from "../sqlText.ts"
import { type Clicks, hotTable } from "./countedClicks.ts"

/** Columns of the matching clicks with a known visitor, including hot ones. */
export const known = (
  { cut, hot, table }: Clicks,
  filter: ClickFilter,
  columns: ReadonlyArray<"product_id" | "session_id"> = []
): string => {
  const own = ["visitor", "occurred_at", ...columns].join(", ")
  const matches = matchesNothing(filter) ? ["false"] : [...hasValues(filter), ...isWithin(spanOf(filter))]
  const wanted = ["visitor != 0", ...matches]
  const archived = `select ${own} from ${table} where ${and([...wanted, ...isContained(cut)])}`
  if (hot.length === 0) return `(${archived})`
  const given = hotTable(hot, [...equalityFields, ...columns])
  return `(${archived} union all select ${own} from ${given} where ${and(wanted)})`
}

/** The first click of each visitor, among all clicks. */
const firsts = (clicks: Clicks): string =>
  `(select visitor, min(occurred_at) as first from ${known(clicks, {})} group by visitor)`

type SlotOf = (at: string) => string

const parse = <Row>(lines: ReadonlyArray<string>): ReadonlyArray<Row> => lines.map((line) => JSON.parse(line))

/** Buckets with visitors, and the whole range. */
export const countVisitors = Effect.fnUntraced(function* (
  { lines }: ClickHouse["Service"],
  clicks: Clicks,
  { filter }: VisitorQuery,
  slotOf: SlotOf
) {
  const counts = (isNew: string) => `count(), countIf(${isNew}), countIf(not (${isNew}))`
  const { from } = spanOf(filter)
  const isNewInRange = filter.from === undefined ? "true" : `first >= ${from}`
  const found = yield* lines(`
    with known as (
      select visits.visitor as visitor, visits.label as label, firsts.first as first
      from (select visitor, ${slotOf("occurred_at")} as label from ${known(clicks, filter)} group by visitor, label) as visits
      inner join ${firsts(clicks)} as firsts on visits.visitor = firsts.visitor
    )
    select toNullable(label), ${counts(`${slotOf("first")} = label`)} from known group by label
    union all
    select null, ${counts(isNewInRange)} from (select visitor, min(first) as first from known group by visitor)`)
  const rows = parse<readonly [number | null, number, number, number]>(found)
  const toCounts = ([, visitors, fresh, returning]: (typeof rows)[number]) => ({
    visitors,
    new: fresh,
    returning
  })
  const total = rows.find(([label]) => label === null)
  const buckets: VisitorBuckets["buckets"] = rows.flatMap((row) =>
    row[0] === null ? [] : [{ bucket: new Date(row[0]), ...toCounts(row) }]
  )
  return { rows: buckets, total: total ? toCounts(total) : { visitors: 0, new: 0, returning: 0 } }
})

/** The latest cohorts in order, up to the week `last`. */
export const countCohorts = Effect.fnUntraced(function* (
  { lines }: ClickHouse["Service"],
  clicks: Clicks,
  { filter }: CohortQuery,
  last: Date,
  slotOf: SlotOf
) {
  const span = spanOf(filter)
  const members = `(select visitor, ${slotOf("first")} as label from ${firsts(clicks)}
    where ${and([...isWithin(span, "first"), ...(span.from > span.to ? ["false"] : [])])})`
  const cohorts = yield* lines(
    `select label, count() from ${members} where label <= ${last.getTime()} group by label order by label desc limit ${maxCohorts}`
  )
  const returned = yield* lines(`
    select members.label as week, toInt64(round((visits.label - members.label) / ${7 * day})) as later, count()
    from (select visitor, ${slotOf("occurred_at")} as label from ${known(clicks, filter)} group by visitor, label) as visits
    inner join ${members} as members on visits.visitor = members.visitor
    group by week, later having later < ${maxCohorts} order by week, later`)
  const weeks = Map.groupBy(parse<readonly [number, number, number]>(returned), ([week]) => week)
  return parse<readonly [number, number]>(cohorts)
    .toReversed()
    .flatMap(([label, visitors]): ReadonlyArray<CohortWeek> => {
      const cohort = { week: new Date(label), visitors }
      const later = weeks.get(label) ?? []
      return later.length === 0
        ? [{ ...cohort, later: null, returned: 0 }]
        : later.map(([, weeks, count]) => ({ ...cohort, later: weeks, returned: count }))
    })
})

const nothing: ProductPairs = { pairs: [], total: 0, skipped: 0 }

/** Pairs of products that visitors clicked in one visit. */
export const countPairs = Effect.fnUntraced(function* (
  { lines }: ClickHouse["Service"],
  clicks: Clicks,
  { filter, limit, product_id }: PairQuery,
  slotOf: SlotOf
) {
  if (matchesNothing(filter)) return nothing
  // The local day does not matter for visits with a session.
  const visits = `
    select visitor, arraySort(groupUniqArray(product_id)) as products
    from ${known(clicks, filter, ["product_id", "session_id"])}
    group by visitor, session_id, if(session_id is null, ${slotOf("occurred_at")}, 0)`
  const isStorable = product_id === undefined || unstorableReason(product_id) === undefined
  const asked = product_id === undefined ? "true" : isStorable ? `has(pair, ${literal(product_id)})` : "false"
  const pairs = yield* lines(`
    with arrayJoin(arrayFlatten(arrayMap((one, index) ->
      arrayMap(other -> tuple([one, other]), arraySlice(products, index + 1)), products, arrayEnumerate(products)))).1 as pair
    select pair[1], pair[2], count() as visits, uniqExact(visitor) as visitors, count() over ()
    from (${visits}) where length(products) <= ${maxProducts} and ${asked}
    group by pair order by visits desc, pair[1], pair[2] limit ${limit}`)
  const [skipped = "[0]"] = yield* lines(
    `select count() from (${visits}) where length(products) > ${maxProducts}`
  )
  const rows = parse<readonly [string, string, number, number, number]>(pairs)
  return {
    pairs: rows.map(([one, other, visits, visitors]) => ({
      products: [one, other] as const,
      visits,
      visitors
    })),
    total: rows[0]?.[4] ?? 0,
    skipped: Number(JSON.parse(skipped)[0])
  }
})
