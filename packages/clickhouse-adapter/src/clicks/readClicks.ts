import type { ListingPosition } from "@clicks/core/clicks/ClickCursor"
import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import type { Cut, ListingPart } from "@clicks/core/clicks/tiers/Cut"
import { Effect, Option, Stream } from "effect"
import type { ClickHouse, ClickHouseError } from "../ClickHouse.ts"
import { and, literal } from "../sqlText.ts"
import { selectedColumns, toClick } from "./clickColumns.ts"
import { comparedFields, hasValues, indexFirst, isContained, isWithin } from "./clickConditions.ts"
import { day, origin, spanOf } from "./instants.ts"
import { placingUnit, prefer, units } from "./projections.ts"

const isAfter = (position: ListingPosition | undefined): ReadonlyArray<string> => {
  if (position === undefined) return []
  const at = position.occurred_at.getTime()
  // Only the first condition limits the granules that are read.
  return [`occurred_at <= ${at}`, `occurred_at < ${at} or id < UUIDStringToNum(${literal(position.id)})`]
}

// Days that are searched for the clicks of a page. Where these lie farther apart, a projection finds their places.
const mostSearched = 3

interface Rows {
  /** Compared before other columns are read. */
  readonly first: ReadonlyArray<string>
  readonly conditions: ReadonlyArray<string>
  readonly settings: ReadonlyArray<string>
}

/** Rows of a range of time, read in order until the page is full. */
const inOrder = (conditions: ReadonlyArray<string>): Rows => ({
  first: [],
  conditions,
  settings: [indexFirst]
})

const scattered = [
  indexFirst,
  "optimize_read_in_order = 0",
  // A hundred places are fewer rows than ClickHouse would give to two threads.
  "merge_tree_min_rows_for_concurrent_read = 8192",
  "merge_tree_min_bytes_for_concurrent_read = 65536"
]

/** All rows of the units of time that have matching clicks: a condition on the table's key. */
const inPlaces = (table: string, cut: Cut, filter: ClickFilter): Rows => {
  const { from, to } = spanOf(filter)
  const fields = comparedFields(filter)
  const unit = placingUnit(fields)
  const number = (instant: number) => Math.floor((instant + origin) / units[unit])
  const matches = [...hasValues(filter), ...isWithin({ from: number(from), to: number(to) }, unit)]
  const places = `select ${unit} from ${table} where ${and(matches)} group by ${unit} settings ${prefer(fields, unit)}`
  const isInPlace = `intDiv(occurred_at + ${origin}, ${units[unit]}) in (${places})`
  const conditions = [isInPlace, ...isWithin({ from, to }), ...isContained(cut)]
  return { first: hasValues(filter), conditions, settings: scattered }
}

const statement = (
  table: string,
  { conditions, first, settings }: Rows,
  after: ListingPosition | undefined,
  limit: number
): string =>
  `select ${selectedColumns} from ${table} ${first.length > 0 ? `prewhere ${and(first)}` : ""}
    where ${and([...conditions, ...isAfter(after)])} order by occurred_at desc, id desc limit ${limit}
    settings ${settings.join(", ")}`

// A click is at most some 100 kB of text, mostly 400 bytes.
const firstPage = 256
const longestPage = 10_000
const pageSize = 4_000_000

/** The number of clicks that make a page of the wanted size, estimated from the last page. */
const nextLength = (lines: ReadonlyArray<string>): number => {
  const size = lines.reduce((sum, line) => sum + line.length, 0)
  return Math.max(1, Math.min(longestPage, Math.floor((pageSize * lines.length) / Math.max(1, size))))
}

interface Place {
  readonly after: ListingPosition | undefined
  readonly left: number
  readonly length: number
}

/** Clicks in listing order, one page at a time. Nothing is open on the server between two pages; the conditions make them consistent. */
const readRows = (
  { lines, table }: ClickHouse["Service"],
  rows: Rows,
  { after, limit = Number.POSITIVE_INFINITY }: ListingPart
): Stream.Stream<ClickEvent, ClickHouseError> =>
  Stream.paginate({ after, left: limit, length: firstPage } as Place, ({ after, left, length }) => {
    const wanted = Math.min(left, length)
    if (wanted < 1) return Effect.succeed([[], Option.none()] as const)
    return Effect.map(lines(statement(table, rows, after, wanted)), (found) => {
      const clicks = found.map((line) => toClick(JSON.parse(line)))
      const next: Place = { after: clicks.at(-1), left: left - clicks.length, length: nextLength(found) }
      const isLast = clicks.length < wanted || next.left < 1
      return [clicks, isLast ? Option.none<Place>() : Option.some(next)] as const
    })
  })

/** The clicks of the cut that match, in listing order. */
export const readClicks = (
  clickHouse: ClickHouse["Service"],
  cut: Cut,
  filter: ClickFilter,
  part: ListingPart
): Stream.Stream<ClickEvent, ClickHouseError> => {
  const { from, to } = spanOf(filter)
  const values = hasValues(filter)
  const isSearched = part.limit === undefined || to - from < mostSearched * day || values.length === 0
  const rows = isSearched
    ? inOrder([...values, ...isWithin({ from, to }), ...isContained(cut)])
    : inPlaces(clickHouse.table, cut, filter)
  return readRows(clickHouse, rows, part)
}

/** All clicks of the attempts for which the condition holds, in listing order. A click of several attempts is repeated. */
export const readAttempts = (
  clickHouse: ClickHouse["Service"],
  condition: string
): Stream.Stream<ClickEvent, ClickHouseError> => readRows(clickHouse, inOrder([condition]), {})
