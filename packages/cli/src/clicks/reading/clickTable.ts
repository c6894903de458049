import { type ClickEvent, fieldNames } from "@clicks/core/clicks/ClickEvent"
import type { TimeZone } from "@clicks/core/values/TimeZone"
import { toSecond } from "../../terminal/format.ts"
import { type Column, table } from "../../terminal/Table.ts"

const text = (value: ClickEvent[keyof ClickEvent], timeZone: TimeZone): string => {
  if (value === null) return ""
  return value instanceof Date ? toSecond(value, timeZone) : String(value)
}

// A narrow terminal shows only the first columns; these before the others.
const important: ReadonlyArray<keyof ClickEvent> = [
  "occurred_at",
  "action",
  "product_id",
  "source",
  "campaign_id",
  "brand_id",
  "store_id",
  "visitor_state",
  "device_type"
]
const byImportance = Array.from(new Set([...important, ...fieldNames])).filter(
  (name) => name !== "event_type"
)

const columnIn =
  (timeZone: TimeZone) =>
  (name: keyof ClickEvent, rank: number): Column<ClickEvent> => ({
    title: name,
    cell: (event) => text(event[name], timeZone),
    isWhole: name === "occurred_at",
    isOptional: true,
    rank
  })

/** The clicks as a table of the columns that fit the width, without empty columns. Times are in the time zone. */
export const clickTable = (events: ReadonlyArray<ClickEvent>, timeZone: TimeZone, width: number): string =>
  table(byImportance.map(columnIn(timeZone)), events, width)
