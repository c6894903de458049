import { Effect } from "effect"
import type { ClickHouse, ClickHouseError } from "../ClickHouse.ts"
import { isWithin } from "../clicks/clickConditions.ts"
import { always, day, origin, type Span, split } from "../clicks/instants.ts"
import { and } from "../sqlText.ts"
import type { Clicks } from "./countedClicks.ts"

/** Days of fifty years. */
const most = 20_000

const dayOf = (instant: number): number => Math.floor((instant + origin) / day)

/**
 * The UTC days of some spans on which clicks occurred, numbered from the origin, in ascending order. May include days whose clicks the cut
 * leaves out. Undefined if there are too many.
 */
export const daysOf = (
  { lines }: ClickHouse["Service"],
  { hot, table }: Clicks,
  spans: ReadonlyArray<Span>
): Effect.Effect<ReadonlyArray<number> | undefined, ClickHouseError> => {
  const everyDay = split(always, day).whole
  const inSpans = spans
    .map(({ from, to }) => isWithin({ from: dayOf(from), to: dayOf(to) }, "day", everyDay))
    .map((conditions) => `(${and(conditions)})`)
  const statement = `select intDiv(hour, 24) as day from ${table} where ${inSpans.join(" or ") || "false"} group by day limit ${most}`
  return Effect.map(lines(statement), (found) => {
    const archived = found.map((line) => Number(JSON.parse(line)[0]))
    const days = new Set([...archived, ...hot.map(({ occurred_at }) => dayOf(occurred_at.getTime()))])
    return days.size < most ? Array.from(days).sort((a, b) => a - b) : undefined
  })
}
