import { crc32 } from "node:zlib"
import { type ClickEvent, fieldNames } from "@clicks/core/clicks/ClickEvent"

/** A row of `clicks`: what a click has beside the constant `event_type`. */
type ClickRow = Omit<ClickEvent, "event_type">

/** `word`: a text with few values, stored as numbers into a dictionary. `time`: milliseconds since 1970, as DateTime64 ends in 2299. */
type Kind = "id" | "word" | "text" | "number" | "time"

interface Column {
  readonly kind: Kind
  readonly nullable: boolean
}

const required = (kind: Kind): Column => ({ kind, nullable: false })
const optional = (kind: Kind): Column => ({ kind, nullable: true })

const columns: Readonly<Record<keyof ClickRow, Column>> = {
  id: required("id"),
  product_id: required("text"),
  action: required("word"),
  source: required("word"),
  store_id: optional("word"),
  brand_id: optional("word"),
  campaign_id: optional("word"),
  dispensary_name: optional("word"),
  page_type: optional("word"),
  url_path: optional("text"),
  visitor_city: optional("word"),
  visitor_state: optional("word"),
  visitor_lat: optional("number"),
  visitor_lng: optional("number"),
  visitor_id: optional("text"),
  session_id: optional("text"),
  user_id: optional("text"),
  ip_address: optional("text"),
  user_agent: optional("word"),
  device_type: required("word"),
  occurred_at: required("time"),
  received_at: required("time"),
  client_occurred_at: optional("time")
}

const names = fieldNames.filter((name) => name !== "event_type")
const kinds = names.map((name) => columns[name].kind)

const types: Readonly<Record<Kind, string>> = {
  id: "FixedString(16)",
  word: "String",
  text: "String",
  number: "Float64",
  time: "Int64"
}

const codecs: Readonly<Record<Kind, string>> = {
  id: " codec(ZSTD)",
  word: "",
  text: " codec(ZSTD)",
  number: " codec(ZSTD)",
  time: " codec(Delta, ZSTD)"
}

/** The type of a column. */
export const typeOf = (name: keyof ClickRow): string => {
  const { kind, nullable } = columns[name]
  const type = nullable ? `Nullable(${types[kind]})` : types[kind]
  return kind === "word" ? `LowCardinality(${type})` : type
}

/** The columns of the table that hold a click. */
export const columnDefinitions: ReadonlyArray<string> = names.map((name) => {
  const filled = columns[name].kind === "id" ? " default UUIDStringToNum(id_text)" : ""
  return `${name} ${typeOf(name)}${filled}${codecs[columns[name].kind]}`
})

/** What is inserted of a click. `id_text` is not stored: it becomes `id`, which sorts as the text does (a UUID does not). */
export const insertedColumns = names
  .map((name) => (columns[name].kind === "id" ? "id_text" : name))
  .join(", ")

/** What is selected of a click. */
export const selectedColumns = names
  .map((name) => (columns[name].kind === "id" ? `UUIDNumToString(${name})` : name))
  .join(", ")

type Value = string | number | null

const toValue = (value: ClickRow[keyof ClickRow]): Value => (value instanceof Date ? value.getTime() : value)

/** The values of `insertedColumns`. */
export const toValues = (click: ClickEvent): Array<Value> => names.map((name) => toValue(click[name]))

const special = /[\\\t\n\r]/
const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" }

const toField = (value: Value): Value => {
  if (value === null) return "\\N"
  if (typeof value === "number" || !special.test(value)) return value
  return value.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character)
}

/** The values of a row as a line of ClickHouse's format TabSeparated. */
export const toLine = (values: ReadonlyArray<Value>): string => `${values.map(toField).join("\t")}\n`

/** The click of the values of `selectedColumns`. */
export const toClick = (values: ReadonlyArray<Value>): ClickEvent => {
  const click: Record<string, Value | Date> = { event_type: "product_click" }
  names.forEach((name, index) => {
    const value = values[index] ?? null
    click[name] = kinds[index] === "time" && typeof value === "number" ? new Date(value) : value
  })
  return click as unknown as ClickEvent
}

const float = new Float64Array(1)
const bits = new BigUint64Array(float.buffer)

const bitsOf = (value: number): string => {
  // JSON has no negative zero.
  float[0] = value + 0
  return String(bits[0])
}

const separator = "\u0001"
// No stored text contains it.
const nothing = "\0"

/** The CRC-32 of the values of a click, as `storedChecksum` computes it. */
export const checksumOf = (values: ReadonlyArray<Value>): number =>
  crc32(
    values
      .map((value, index) =>
        value === null ? nothing : kinds[index] === "number" ? bitsOf(Number(value)) : value
      )
      .join(separator)
  )

const texts: Readonly<Record<Kind, (name: string) => string>> = {
  id: (name) => `UUIDNumToString(${name})`,
  word: (name) => name,
  text: (name) => name,
  number: (name) => `toString(reinterpretAsUInt64(${name}))`,
  time: (name) => `toString(${name})`
}

const storedTexts = names.map((name) => {
  const { kind, nullable } = columns[name]
  return nullable ? `ifNull(${texts[kind](name)}, '\\0')` : texts[kind](name)
})

/** The CRC-32 of the columns of a row. */
export const storedChecksum = `CRC32(concatWithSeparator('\\x01', ${storedTexts.join(", ")}))`
