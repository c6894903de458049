/** A text as a literal of ClickHouse's SQL. The text must be storable (`unstorableReason` in core). */
export const literal = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`

/** A name of a table, a column or a cluster. */
export const name = (text: string): string => `\`${text.replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``

/** Numbers as an array, sent as a text: ClickHouse parses 20,000 numbers in 50 ms from a text and in 300 ms from an array literal. */
export const numberArray = (numbers: ReadonlyArray<number>): string => `cast('[${numbers}]', 'Array(Int64)')`

/** All conditions. */
export const and = (conditions: ReadonlyArray<string>): string =>
  conditions.length === 0 ? "true" : conditions.map((condition) => `(${condition})`).join(" and ")
