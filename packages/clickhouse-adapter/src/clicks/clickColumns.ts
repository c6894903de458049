import { crc32 } from "node:zlib"
import { type ClickEvent, fieldNames } from "@clicks/core/clicks/ClickEvent"

/** A row of `clicks`: the fields of a click without the constant `event_type`. */
type ClickRow = Omit<ClickEvent, "event_type">

/** `word`: a text with few distinct values, stored in a dictionary. `time`: milliseconds since 1970, because DateTime64 ends in 2299. */
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

interface Sent {
  readonly type: string
  /** The SQL that converts the sent value to the column's. */
  readonly convert: (sent: string) => string
}

// The kinds that are sent in another form than they are stored in. Ids are stored as bytes, which sort as their text does (ClickHouse's UUID does
// not). Words are sent as plain strings: to look them up in dictionaries takes ClickHouse 3 µs of processor time per click as it reads them, and
// less than 1 for whole columns afterwards. Numbers are sent as their bits, which have only one text.
const sent: Readonly<Partial<Record<Kind, Sent>>> = {
  id: { type: "String", convert: (text) => `UUIDStringToNum(${text})` },
  word: { type: "String", convert: (text) => text },
  number: { type: "UInt64", convert: (bits) => `reinterpretAsFloat64(${bits})` }
}

const sentName = (name: string): string => `${name}_sent`

/** The columns of a click, and the ephemeral columns that are inserted instead of some of them and not stored. */
export const columnDefinitions: ReadonlyArray<string> = names.flatMap((name) => {
  const { kind, nullable } = columns[name]
  const form = sent[kind]
  const column = `${name} ${typeOf(name)}`
  if (form === undefined) return [`${column}${codecs[kind]}`]
  return [
    `${sentName(name)} ${nullable ? `Nullable(${form.type})` : form.type} ephemeral`,
    `${column} default ${form.convert(sentName(name))}${codecs[kind]}`
  ]
})

/** The columns into which a click is inserted. */
export const insertedColumns = names
  .map((name) => (sent[columns[name].kind] === undefined ? name : sentName(name)))
  .join(", ")

/** The expressions that select a click. */
export const selectedColumns = names
  .map((name) => (columns[name].kind === "id" ? `UUIDNumToString(${name})` : name))
  .join(", ")

const float = new Float64Array(1)
const bits = new BigUint64Array(float.buffer)

const bitsOf = (value: number): string => {
  // JSON has no negative zero.
  float[0] = value + 0
  return String(bits[0])
}

const special = /[\\\t\n\r]/
const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" }

const escape = (text: string): string =>
  text.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character)

const isSpecial = (value: ClickRow[keyof ClickRow]): boolean =>
  typeof value === "string" && special.test(value)

const nothing = "\\N"

const toText = (value: ClickRow[keyof ClickRow]): string | number => {
  if (value === null) return nothing
  if (typeof value === "string") return value
  return typeof value === "number" ? bitsOf(value) : value.getTime()
}

const toField = (value: ClickRow[keyof ClickRow]): string | number =>
  typeof value === "string" ? escape(value) : toText(value)

/** A click in the form in which it is inserted. */
export interface ClickLine {
  /** The values of `insertedColumns` in ClickHouse's format TabSeparated. */
  readonly line: string
  /** The same as `storedChecksum` computes. */
  readonly checksum: number
}

const texts = names.filter((name) => columns[name].kind === "text" || columns[name].kind === "word")

/** The number of tabs in each text; empty if there are none. With tabs, the line without escapes does not show where a text ends. */
const tabsOf = (click: ClickEvent): string => {
  const tabs = texts.map((name) => String(click[name] ?? "").split("\t").length - 1)
  return tabs.some((count) => count > 0) ? `\t${tabs}` : ""
}

export const toLine = (click: ClickEvent): ClickLine => {
  let text = ""
  let hasSpecial = false
  // One bit for each field that is null, because the line without escapes is the same for null and for the text \N.
  let nulls = 0
  for (const name of names) {
    const value = click[name]
    hasSpecial ||= isSpecial(value)
    nulls = nulls * 2 + (value === null ? 1 : 0)
    text += text === "" ? toText(value) : `\t${toText(value)}`
  }
  const line = hasSpecial ? names.map((name) => toField(click[name])).join("\t") : text
  const checksum = crc32(hasSpecial ? text + tabsOf(click) : text) ^ nulls
  return { line, checksum: checksum >>> 0 }
}

type Value = string | number | null

/** Makes a click of the values of `selectedColumns`. */
export const toClick = (values: ReadonlyArray<Value>): ClickEvent => {
  // In the order of an export.
  const click: Record<string, Value | Date> = { id: null, event_type: "product_click" }
  names.forEach((name, index) => {
    const value = values[index] ?? null
    click[name] = kinds[index] === "time" && typeof value === "number" ? new Date(value) : value
  })
  return click as unknown as ClickEvent
}

const storedForms: Readonly<Record<Kind, (name: string) => string>> = {
  id: (name) => `UUIDNumToString(${name})`,
  word: (name) => name,
  text: (name) => name,
  number: (name) => `toString(reinterpretAsUInt64(${name}))`,
  time: (name) => `toString(${name})`
}

const storedTexts = names.map((name) => {
  const { kind, nullable } = columns[name]
  return nullable ? `ifNull(${storedForms[kind](name)}, '\\\\N')` : storedForms[kind](name)
})

const storedLine = `concatWithSeparator('\\t', ${storedTexts.join(", ")})`
const storedTabs = texts.map((name) => `toString(countSubstrings(ifNull(${name}, ''), '\\t'))`)
const storedNulls = names.flatMap((name, index) =>
  columns[name].nullable ? [`isNull(${name}) * ${2 ** (names.length - 1 - index)}`] : []
)

// Tabs are counted only in rows with more tabs than those between the columns: counting takes long, and hardly any text has a tab.
const storedSum = `CRC32(if(countSubstrings(${storedLine}, '\\t') < ${names.length}, ${storedLine},
  concat(${storedLine}, '\\t', concatWithSeparator(',', ${storedTabs.join(", ")}))))`

/** The checksum of a row: the CRC-32 of its columns, made unambiguous. */
export const storedChecksum = `bitXor(${storedSum}, toUInt32(${storedNulls.join(" + ")}))`
