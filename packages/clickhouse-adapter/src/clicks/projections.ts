import { type EqualityField, equalityFields } from "@clicks/core/clicks/ClickFilter"

/** What a query may look at besides the action. */
type Field = Exclude<EqualityField, "action">

/** Counted by hour and action: 17,500 hours in two years times the values of the field. */
export const hourlyFields: ReadonlyArray<Field> = ["source", "store_id", "brand_id", "campaign_id"]

const counts = "count(), countIf(visitor = 0)"

const hourly = [undefined, ...hourlyFields].map((field) => {
  const keys = [...(field === undefined ? [] : [field]), "action", "hour"].join(", ")
  return `projection ${field ?? "all"}_by_hour (select ${keys}, ${counts} group by ${keys})`
})

const pairs = hourlyFields.flatMap((one, index) => hourlyFields.slice(index + 1).map((other) => [one, other]))

// Such a pair has as many rows as 20,000 products on each day would have: counting by hour would list every click.
const daily = pairs.map(
  (fields) =>
    `projection ${fields.join("_and_")}_by_day (select ${fields.join(", ")}, day, count() group by ${fields.join(", ")}, day)`
)

const others = equalityFields.filter((field) => field !== "product_id").join(", ")

const ofProducts = [
  `projection product_id (select product_id, action, ${counts} group by product_id, action)`,
  `projection product_id_by_day (select product_id, action, day, ${counts} group by product_id, action, day)`,
  // The clicks of a product, with what filters compare.
  `projection product_id_rows (select product_id, day, ${others} order by product_id, day)`
]

/** Counts and orders that ClickHouse keeps with each part of the table. It picks one that fits by itself. */
export const projections: ReadonlyArray<string> = [...hourly, ...daily, ...ofProducts]

/** What the projections count by, for clicks that are told apart by these fields. */
export type Unit = "hour" | "day"

/** The shortest unit by which the clicks with some values of these fields are counted quickly; undefined: row by row. */
export const countedUnit = (fields: Iterable<string>): Unit | undefined => {
  const named = new Set(fields)
  named.delete("action")
  const isHourly = (name: string) => hourlyFields.some((field) => field === name)
  if (named.size === 0 || (named.size === 1 && [...named].every(isHourly))) return "hour"
  if (named.has("product_id") && [...named].every((name) => name === "product_id" || isHourly(name)))
    return "day"
  return undefined
}

/** Whether pairs of these fields, without the action, are counted by day. */
export const isPair = (fields: ReadonlyArray<string>): boolean =>
  fields.length === 2 && fields.every((name) => hourlyFields.some((field) => field === name))
