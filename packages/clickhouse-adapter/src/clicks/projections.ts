import type { EqualityField } from "@clicks/core/clicks/ClickFilter"
import { day, hour, minutes } from "./instants.ts"

/** A field that queries filter or group by, except the action. */
type Field = Exclude<EqualityField, "action">

/** These fields are counted by hour, source and action: 17,500 hours in two years times the number of values. */
const hourlyFields: ReadonlyArray<Field> = ["store_id", "brand_id", "campaign_id"]

const counts = "count(), countIf(visitor = 0)"

// The table has small granules for the places of rare clicks; a projection is read in long ranges.
const projection = (name: string, query: string) =>
  `projection ${name} (${query}) with settings (index_granularity = 8192)`

const counted = (name: string, keys: string) => projection(name, `select ${keys}, ${counts} group by ${keys}`)

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
// They also yield the positions of rare clicks.
const sorted = [
  ["product_id", "store_id", "brand_id", "campaign_id"],
  ["store_id", "brand_id", "campaign_id"],
  ["campaign_id", "brand_id"]
].map(([first, ...others]) => {
  const keys = [first, ...others, "source", "action", "minutes"].join(", ")
  return projection(`${first}_rows`, `select ${keys} order by ${keys}`)
})

/** Counts and sort orders that ClickHouse stores with each part of the table. It selects a suitable one for each query. */
export const projections: ReadonlyArray<string> = [...hourly, ...ofProducts, ...sorted]

/** The units of time by which projections count or sort clicks: columns of the table, with their lengths in milliseconds. */
export const units = { minutes, hour, day }
export type Unit = keyof typeof units

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
  return [countedUnit(fields) ?? "minutes", "minutes" as const].find((unit) => width % units[unit] === 0)
}

/** The fields that an order of clicks begins with. */
const leading = ["product_id", "store_id", "campaign_id"]

/** The unit by which a projection leads to the places of clicks with some values of these fields. */
export const placingUnit = (fields: ReadonlyArray<string>): Unit =>
  fields.some((field) => leading.includes(field)) ? "minutes" : "hour"

/** Makes ClickHouse try first the projection that counts clicks by these fields and unit: examining all of them takes it 4 ms for 20 parts. */
export const prefer = (fields: ReadonlyArray<string>, unit: Unit): string => {
  const [field = "all"] = without(fields, "action", "source")
  const first = leading.find((field) => fields.includes(field))
  return `preferred_optimize_projection_name = '${unit === "minutes" ? `${first}_rows` : `${field}_by_${unit}`}'`
}
