import type { EqualityField } from "@clicks/core/clicks/ClickFilter"
import { day } from "./instants.ts"

/** What a query may look at besides the action. */
type Field = Exclude<EqualityField, "action">

/** Counted by hour, source and action: 17,500 hours in two years times the values of the field. */
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

// The clicks by two fields and more: counted, they would hardly be fewer. Sorting costs the mover a quarter of what counting costs.
const sorted = [
  ["product_id", "store_id", "brand_id", "campaign_id"],
  ["store_id", "brand_id", "campaign_id"],
  ["campaign_id", "brand_id"]
].map(([first, ...others]) => {
  const keys = [first, ...others, "source", "action", "hour"].join(", ")
  return `projection ${first}_rows (select ${keys} order by ${keys})`
})

/** Counts and orders that ClickHouse keeps with each part of the table. It picks one that fits by itself. */
export const projections: ReadonlyArray<string> = [...hourly, ...ofProducts, ...sorted]

/** What the projections count by, for clicks that are told apart by these fields. */
export type Unit = "hour" | "day"

const without = (names: Iterable<string>, ...others: ReadonlyArray<string>) =>
  Array.from(new Set(names)).filter((name) => !others.includes(name))

/** The shortest unit by which clicks that are told apart by these fields are counted with their visitors; undefined: row by row. */
export const countedUnit = (fields: Iterable<string>): Unit | undefined => {
  if (without(fields, "action", "product_id").length === 0 && Array.from(fields).includes("product_id"))
    return "day"
  const [one, ...more] = without(fields, "action", "source")
  return more.length === 0 && (one === undefined || hourlyFields.some((field) => field === one))
    ? "hour"
    : undefined
}

const rowFields = ["product_id", "store_id", "brand_id", "campaign_id", "source", "action"]

/** The unit by which clicks with some values of these fields are counted, without their visitors; undefined: row by row. */
export const filteredUnit = (fields: ReadonlyArray<string>, width: number): Unit | undefined => {
  if (fields.some((field) => !rowFields.includes(field))) return undefined
  return countedUnit(fields) === "day" && width % day === 0 ? "day" : "hour"
}
