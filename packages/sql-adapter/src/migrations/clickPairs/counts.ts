const actions = ["view", "open_store", "open_product", "compare", "other"] as const

/** The columns of a count: all clicks, and those with each action. */
export const names = ["n", ...actions]

const each = (write: (name: string) => string): string => names.map(write).join(", ")

/** The columns in a list. */
export const list = names.join(", ")

/** Their definitions. */
export const definitions = each((name) => `${name} bigint not null`)

/** Each the sum of many. */
export const sums = each((name) => `sum(${name})::bigint as ${name}`)

/** They are counted from the rows of `clicks`. */
export const ofClicks = each((name) =>
  name === "n" ? "count(*) as n" : `count(*) filter (where action = '${name}') as ${name}`
)

/** They are counted from rows that have the number of their action, which compares faster than its name. */
export const ofNumbers = each((name) =>
  name === "n" ? "count(*) as n" : `count(*) filter (where action = ${names.indexOf(name)}) as ${name}`
)

/** The number of an action. */
export const actionNumber = `case action ${actions.map((name, index) => `when '${name}' then ${index + 1}`).join(" ")} end`

/** The columns of one relation among several. */
export const of = (from: string): string => each((name) => `${from}.${name}`)

/** `sign` times the columns of `from`. */
export const signed = (from: string): string => each((name) => `sign * ${from}.${name}`)

/** What another relation has is added to the columns of a table. */
export const added = (to: string, from: string, sign = ""): string =>
  each((name) => `${name} = ${to}.${name} + ${sign}${from}.${name}`)
