import type { ListingPosition } from "@clicks/core/clicks/ClickCursor"
import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import type { Cut, ListingPart } from "@clicks/core/clicks/tiers/Cut"
import { Effect, Option, Stream } from "effect"
import type { ClickHouse, ClickHouseError } from "../ClickHouse.ts"
import { and, literal } from "../sqlText.ts"
import { selectedColumns, toClick } from "./clickColumns.ts"
import { hasValues, isContained, isWithin } from "./clickConditions.ts"
import { hour, origin, spanOf } from "./instants.ts"

const isAfter = (position: ListingPosition | undefined): ReadonlyArray<string> => {
  if (position === undefined) return []
  const at = position.occurred_at.getTime()
  // Only the first condition limits the granules that are read.
  return [`occurred_at <= ${at}`, `occurred_at < ${at} or id < UUIDStringToNum(${literal(position.id)})`]
}

/** An expression of the table's key, so that only these hours are read. */
const isInHours = (hours: ReadonlyArray<number> | undefined): ReadonlyArray<string> => {
  if (hours === undefined) return []
  const numbers = hours.map((start) => (start + origin) / hour)
  return [numbers.length === 0 ? "false" : `intDiv(occurred_at + ${origin}, ${hour}) in (${numbers})`]
}

const statement = (
  table: string,
  conditions: ReadonlyArray<string>,
  after: ListingPosition | undefined,
  limit: number
): string =>
  `select ${selectedColumns} from ${table} where ${and([...conditions, ...isAfter(after)])} order by occurred_at desc, id desc limit ${limit}`

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
  conditions: ReadonlyArray<string>,
  { after, limit = Number.POSITIVE_INFINITY }: ListingPart
): Stream.Stream<ClickEvent, ClickHouseError> =>
  Stream.paginate({ after, left: limit, length: firstPage } as Place, ({ after, left, length }) => {
    const wanted = Math.min(left, length)
    if (wanted < 1) return Effect.succeed([[], Option.none()] as const)
    return Effect.map(lines(statement(table, conditions, after, wanted)), (found) => {
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
): Stream.Stream<ClickEvent, ClickHouseError> =>
  readRows(
    clickHouse,
    [...hasValues(filter), ...isWithin(spanOf(filter)), ...isInHours(part.hours), ...isContained(cut)],
    part
  )

/** All clicks of the attempts for which the condition holds, in listing order. A click of several attempts is repeated. */
export const readAttempts = (
  clickHouse: ClickHouse["Service"],
  condition: string
): Stream.Stream<ClickEvent, ClickHouseError> => readRows(clickHouse, [condition], {})
