import { Predicate, Result, Schema } from "effect"
import { type InvalidInput, invalid } from "../values/InvalidInput.ts"
import { replaceUnstorable, unstorableReason } from "../values/Text.ts"

/** Whether the value, which comes from another service as JSON, is an object. */
export const isForeignObject = (value: unknown): value is Readonly<Record<string, Schema.Json>> =>
  Predicate.isObject(value)

/** Reads a non-empty text, or a number as text; anything else is null. Characters that cannot be stored become U+FFFD. */
export const readText = (value: unknown): string | null => {
  if (typeof value === "number") return String(value)
  if (typeof value !== "string" || value === "") return null
  return unstorableReason(value) === undefined ? value : replaceUnstorable(value)
}

const decimal = /^\s*\$?\s*(\d{1,15}(?:\.\d{1,15})?|\.\d{1,15})\s*%?\s*$/

const maxAmount = 1e15

/** Reads a number from 0 to 10^15, or a text with one, which may have `$` before it or `%` after it; anything else is null. */
export const readAmount = (value: unknown): number | null => {
  const number = typeof value === "string" ? Number(decimal.exec(value)?.[1] ?? Number.NaN) : value
  // Adding 0 turns -0 into 0.
  return typeof number === "number" && number >= 0 && number <= maxAmount ? number + 0 : null
}

/** Reads `true` or `false`, also as text; anything else is null. */
export const readFlag = (value: unknown): boolean | null => {
  if (typeof value === "boolean") return value
  if (typeof value !== "string") return null
  const text = value.trim().toLowerCase()
  return text === "true" ? true : text === "false" ? false : null
}

/** Whether the value is nested at most `levels` deep. Beyond some thousand levels, databases and JSON writers overflow their stacks. */
export const isWithinDepth = (value: unknown, levels: number): boolean => {
  if (!Predicate.isObjectOrArray(value)) return true
  return levels > 0 && Object.values(value).every((inner) => isWithinDepth(inner, levels - 1))
}

/** An entry of an array that cannot be read, with its index (from 0). */
export const RejectedEntry = Schema.Struct({ index: Schema.Int, error: Schema.String })
export interface RejectedEntry extends Schema.Schema.Type<typeof RejectedEntry> {}

/** The entries of an array. `errors` holds the first hundred rejections. */
export interface Entries<A> {
  readonly read: ReadonlyArray<A>
  readonly rejected: number
  readonly errors: ReadonlyArray<RejectedEntry>
}

const maxEntries = 100_000
const maxErrors = 100

/**
 * Reads an array of `noun`s. Entries that cannot be read are rejected; the others are kept. Fails if the value is not an array, has more
 * than 100,000 entries, or has entries but none can be read.
 */
export const readEntries = <A>(
  noun: "product" | "store",
  value: unknown,
  read: (entry: unknown) => Result.Result<A, string>
): Result.Result<Entries<A>, InvalidInput> => {
  if (!Array.isArray(value)) return invalid(`is not an array of ${noun}s`)
  if (value.length > maxEntries) return invalid(`has ${value.length} ${noun}s; the limit is ${maxEntries}`)
  const found: Array<A> = []
  const errors: Array<RejectedEntry> = []
  for (const [index, entry] of value.entries()) {
    const result = read(entry)
    if (Result.isSuccess(result)) found.push(result.success)
    else if (errors.length < maxErrors) errors.push({ index, error: result.failure })
  }
  const [first] = errors
  return found.length === 0 && first !== undefined
    ? invalid(`contains no valid ${noun}; entry ${first.index}: ${first.error}`)
    : Result.succeed({ read: found, rejected: value.length - found.length, errors })
}
