import type { EqualityField } from "@clicks/core/clicks/ClickFilter"
import { day } from "./instants.ts"

/** A field that queries filter or group by, except the action. */
type Field = Exclude<EqualityField, "action">

/** These fields are counted by hour, source and action: 17,500 hours in two years times the number of values. */
const hourlyFields: ReadonlyArray<Field> = ["store_id", "brand_id", "campaign_id"]

const counts = "count(), countIf(visitor = 0)"

const counted = (name: string, keys: string) =>
  `projection ${name} (select ${keys}, ${counts} group by ${keys})`

const hourly = [undefined, ...hourlyFields].map((field) =>
  counted(
    `${field ?? "all"}_by_hour`,
    [...(field === undefined ? [] : [field]), "source", "action", "hour"].join(", ")
  )
)

const ofProducts = [
  counted("product_id", "product_id, action"),
  counted("product_id_by_day", "product_id, action, day")
]

// Rows sorted by several fields. Counts by several fields would hardly be fewer than the rows, and cost the mover four times as much.
const sorted = [
  ["product_id", "store_id", "brand_id", "campaign_id"],
  ["store_id", "brand_id", "campaign_id"],
  ["campaign_id", "brand_id"]
].map(([first, ...others]) => {
  const keys = [first, ...others, "source", "action", "hour"].join(", ")
  return `projection ${first}_rows (select ${keys} order by ${keys})`
})

/** Counts and sort orders that ClickHouse stores with each part of the table. It selects a suitable one for each query. */
export const projections: ReadonlyArray<string> = [...hourly, ...ofProducts, ...sorted]

/** The unit of time by which projections count clicks. */
export type Unit = "hour" | "day"

const without = (names: Iterable<string>, ...others: ReadonlyArray<string>) =>
  Array.from(new Set(names)).filter((name) => !others.includes(name))

/** The unit of the counts by these fields that also count clicks without a visitor; undefined if clicks must be read row by row. */
export const countedUnit = (fields: Iterable<string>): Unit | undefined => {
  if (without(fields, "action", "product_id").length === 0 && Array.from(fields).includes("product_id"))
    return "day"
  const [one, ...more] = without(fields, "action", "source")
  return more.length === 0 && (one === undefined || hourlyFields.some((field) => field === one))
    ? "hour"
    : undefined
}

const rowFields = ["product_id", "store_id", "brand_id", "campaign_id", "source", "action"]

/** The unit in which projections yield the number of clicks with given values of these fields; undefined if clicks must be read row by row. */
export const filteredUnit = (fields: ReadonlyArray<string>, width: number): Unit | undefined => {
  if (fields.some((field) => !rowFields.includes(field))) return undefined
  return countedUnit(fields) === "day" && width % day === 0 ? "day" : "hour"
}
