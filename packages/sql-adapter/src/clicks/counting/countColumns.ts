const actions = ["view", "open_store", "open_product", "compare", "other"] as const

// The columns of a count: all clicks, then the clicks of each action.
const names = ["n", ...actions]

const each = (write: (name: string) => string): string => names.map(write).join(", ")

/** The columns of a count, by name. */
export const list = names.join(", ")

/** The same as definitions in a table. */
export const definitions = each((name) => `${name} bigint not null`)

/** The same as sums. */
export const sums = each((name) => `sum(${name})::bigint as ${name}`)

/** The same, counted from rows of `clicks`. */
export const ofClicks = each((name) =>
  name === "n" ? "count(*) as n" : `count(*) filter (where action = '${name}') as ${name}`
)

/** The same, counted from rows with an `actionNumber`, which compares faster than the name. */
export const ofNumbers = each((name) =>
  name === "n" ? "count(*) as n" : `count(*) filter (where action = ${names.indexOf(name)}) as ${name}`
)

/** The same, counted from rows with an `actionNumber` and a number of `clicks`. */
export const ofAlike = each((name) =>
  name === "n"
    ? "sum(clicks) as n"
    : `coalesce(sum(clicks) filter (where action = ${names.indexOf(name)}), 0) as ${name}`
)

/** The position of an action, from 1. */
export const actionNumber = `case action ${actions.map((name, index) => `when '${name}' then ${index + 1}`).join(" ")} end`

/** The same, of the relation `from`. */
export const of = (from: string): string => each((name) => `${from}.${name}`)

/** The same, of the relation `from`, multiplied by the SQL parameter `sign`. */
export const signed = (from: string): string => each((name) => `sign * ${from}.${name}`)

/** Assignments that add the columns of one relation to those of another. */
export const added = (to: string, from: string, sign = ""): string =>
  each((name) => `${name} = ${to}.${name} + ${sign}${from}.${name}`)

/** Escapes SQL for use inside a quoted text. */
export const inQuotes = (code: string): string => code.replaceAll("'", "''")

/** The fields whose values are counted. */
export const fields = ["product_id", "store_id", "brand_id", "campaign_id", "source"] as const

/** The fields whose values are indexed, by their hash. */
export const hashedFields = [...fields, "visitor_id", "session_id"] as const

/** The working columns that hold the key ids of paired values. */
export const paired = fields.map((field) => `paired_${field}`)

/** All pairs of the columns `paired`. */
export const pairs = paired.flatMap((one, index) =>
  paired.slice(index + 1).map((another) => `${one}, ${another}`)
)
