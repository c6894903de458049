import { ClickInput } from "../ClickInput.ts"
import { SentNumber } from "../parseJson.ts"

/** A JSON value without the parts that `ClickInput.parse` ignores, so both give the same click. */
export interface KnownFields {
  readonly body: unknown
  /** The names of the fields that were removed. */
  readonly ignored: ReadonlyArray<string>
}

const names: ReadonlyArray<string> = Object.keys(ClickInput.fields)
const known = new Set(names)
const none: ReadonlyArray<string> = []

// No field of a click accepts an object or an array, so their contents do not matter.
const anyObject = Object.freeze({})

type Fields = Readonly<Record<string, unknown>>

const withoutContents = (value: unknown): unknown =>
  typeof value === "object" && value !== null && !(value instanceof SentNumber) ? anyObject : value

const onlyKnown = (fields: Fields): Fields => {
  const kept: Record<string, unknown> = {}
  for (const name of names) if (fields[name] !== undefined) kept[name] = withoutContents(fields[name])
  return kept
}

/** `event_type` is not an input, but its only value is stored, so it is not reported as ignored. Other values are. */
const isIgnored = (name: string, value: unknown): boolean =>
  !known.has(name) && !(name === "event_type" && value === "product_click")

/**
 * Reduces a parsed body, so that a waiting click takes no more memory than its stored fields: `[{},{},…]` takes 20 times its length. An
 * ordinary body is returned unchanged.
 */
export const knownFields = (value: unknown): KnownFields => {
  if (typeof value !== "object" || value === null) return { body: value, ignored: none }
  if (Array.isArray(value)) return { body: none, ignored: none }
  const fields = value as Fields
  let ignored: Array<string> | undefined
  let hasContents = false
  for (const name in fields) {
    const field = fields[name]
    if (isIgnored(name, field)) {
      ignored ??= []
      ignored.push(name)
    } else if (typeof field === "object" && field !== null) hasContents = true
  }
  const body = hasContents || ignored !== undefined ? onlyKnown(fields) : value
  return { body, ignored: ignored ?? none }
}
