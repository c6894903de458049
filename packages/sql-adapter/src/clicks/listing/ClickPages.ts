import { type ClickFilter, type EqualityField, equalityFields } from "@clicks/core/clicks/ClickFilter"
import type { ClickQuery } from "@clicks/core/clicks/ClickQuery"
import { Effect } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { transaction } from "../../transaction.ts"
import { columnNames } from "../clickColumns.ts"
import { isAfter, isIndexed, matches, matchesInOrder } from "../clickConditions.ts"
import { rarest, skip, total } from "./clickTotals.ts"
import { type SizedRow, sizedColumns, withSize } from "./sizedRows.ts"

/** The rows of a page in listing order, plus one more than `limit` if there is a next page, and the total, both from one snapshot. */
export interface Page {
  readonly rows: ReadonlyArray<SizedRow>
  readonly total: number
}

// Skipping this many rows takes as long as computing where the page starts.
const deepOffset = 2000

// The same for rows with the rarest value, few of which may match.
const manyRows = 10_000

const fieldsOf = (filter: ClickFilter): ReadonlyArray<EqualityField> =>
  equalityFields.filter((field) => filter[field] !== undefined)

/** The number of matching clicks, and the number of clicks `among` which they are: those with the rarest value. */
interface Matching {
  readonly total: number
  readonly rarest: EqualityField | null
  readonly among: number
}

const noMatch: Matching = { total: 0, rarest: null, among: 0 }

/** Where reading starts: `before` an instant. `skipped` clicks of the listing are not before it. */
interface Start {
  readonly before: string | null
  readonly skipped: number
}

const atTop: Start = { before: null, skipped: 0 }

type FoundRow = { readonly total: number } & (SizedRow | { readonly id: null })

const toPage = (found: ReadonlyArray<FoundRow>): Page => ({
  rows: found.filter((row) => row.id !== null),
  total: found[0]?.total ?? 0
})

/** Creates the function that reads a page. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.csv(columnNames)

  // `click_rollup`, which has one row, comes before the keys because totals and migrations lock the tables in this order.
  const countMatching = ({ filter }: ClickQuery) => sql<Matching>`
    select ${total(sql, filter)} as total, sought.name as rarest, coalesce(sought.clicks, 0)::double precision as among
    from click_rollup left join ${rarest(sql, filter)} as sought on true`

  // Even without an offset, the newest match may be far down the listing. Skipping at most one click finds the time where it is.
  const startOf = ({ filter, offset }: ClickQuery) =>
    Effect.map(
      sql<Start>`
        select case when isfinite(before) then before::text end as before, skipped::double precision as skipped
        from ${skip(sql, filter, Math.max(offset, 1))} as start`,
      ([start = atTop]) => (start.skipped > offset ? atTop : start)
    )

  // The join keeps the total if the page is empty. If it were not materialized, the total would be counted for each row.
  const withTotal = (
    query: ClickQuery,
    counted: Statement.Fragment,
    page: Statement.Fragment
  ) => sql<FoundRow>`
    with matching as materialized (select ${counted} as total)
    select matching.total, ${sizedColumns(sql, query.limit)}
    from matching left join ${withSize(sql, page)} as sized on true
    order by sized.occurred_at desc, sized.id desc`

  // Sorting is disabled because an index has the rows in the order of the page. The planner sorts if it expects few rows, and it does not
  // know the rows since the last ANALYZE: with 100,000 clicks of a new product, a page of 100 took 200 ms.
  const forbidSorting = sql`set local enable_sort = off`

  // A total without a stored count intersects bitmaps of rows. With 4 MB of memory, the bitmap of a million rows contains only pages, so
  // all rows of these pages are checked: for three frequent values of ten million clicks, three processes take 2.0 s. With 64 MB, one
  // process takes 1.1 s.
  const allowMemory = sql`set local work_mem = '64MB'`

  const isBelowStart = (query: ClickQuery, { before }: Start) =>
    before === null
      ? isAfter(sql, query.after)
      : sql`${isAfter(sql, query.after)} and occurred_at < ${before}::timestamptz`

  const cut = ({ limit, offset }: ClickQuery, { skipped }: Start) =>
    sql`limit ${limit + 1} offset ${offset - skipped}`

  const inOrder = (query: ClickQuery, start: Start, along: EqualityField | undefined) => {
    const { condition, order } = matchesInOrder(sql, query.filter, along)
    return sql`
      select ${columns} from clicks where ${condition} and ${isBelowStart(query, start)}
      order by ${order} ${cut(query, start)}`
  }

  const sorted = (query: ClickQuery, start: Start) => sql`
    with found as materialized (
      select ${columns} from clicks where ${matches(sql, query.filter)} and ${isBelowStart(query, start)})
    select * from found order by occurred_at desc, id desc ${cut(query, start)}`

  // For a value without an index or counts. The total reads all clicks that meet the other conditions, and the same scan finds the page.
  const scanned = ({ after, filter, limit, offset }: ClickQuery) => {
    const page = sql`
      select id from found where ${isAfter(sql, after)} order by occurred_at desc, id desc limit ${limit + 1} offset ${offset}`
    return Effect.andThen(
      allowMemory,
      sql<FoundRow>`
        with found as materialized (
          select id, occurred_at from clicks where ${matches(sql, filter)})
        select matching.total, ${sizedColumns(sql, limit)}
        from (select count(*)::double precision as total from found) as matching
        left join ${withSize(sql, sql`select ${columns} from clicks where id = any (array(${page}))`)} as sized on true
        order by sized.occurred_at desc, sized.id desc`
    )
  }

  const nearTop = (query: ClickQuery) =>
    Effect.andThen(
      forbidSorting,
      withTotal(query, total(sql, query.filter), inOrder(query, atTop, fieldsOf(query.filter)[0]))
    )

  // Three statements in one snapshot: the total, the start of the page, and the page.
  const fromStart = Effect.fnUntraced(function* (query: ClickQuery) {
    yield* sql`set transaction isolation level repeatable read, read only`
    if (fieldsOf(query.filter).length > 1) yield* allowMemory
    const [{ among, rarest: along, total: all } = noMatch] = yield* countMatching(query)
    if (all <= query.offset) return [{ total: all, id: null } as const]
    const isFar = query.offset > deepOffset || among > manyRows
    const start = isFar && query.after === undefined ? yield* startOf(query) : atTop
    const counted = sql`${all}::double precision`
    // The last page for several values needs all matches, so the index of one value would be read to its end: 100,000 clicks for the 40
    // that have both values. Any other page is soon full in the order of the rarest value.
    const isLast = all <= query.offset + query.limit
    if (isLast && fieldsOf(query.filter).length > 1)
      return yield* withTotal(query, counted, sorted(query, start))
    yield* forbidSorting
    return yield* withTotal(query, counted, inOrder(query, start, along ?? undefined))
  })

  return (query: ClickQuery): Effect.Effect<Page, SqlError.SqlError> => {
    const fields = fieldsOf(query.filter)
    const isNearTop = query.offset <= deepOffset && fields.length < 2
    const read = !fields.every(isIndexed) ? scanned : isNearTop ? nearTop : fromStart
    const rows: Effect.Effect<ReadonlyArray<FoundRow>, SqlError.SqlError> = read(query)
    return Effect.map(transaction(sql, rows), toPage)
  }
})
