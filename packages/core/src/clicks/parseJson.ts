/** A JSON number that a double cannot represent as sent, such as `9007199254740993`, `1e400` or `1.10`. Text fields store its digits. */
export class SentNumber {
  readonly digits: string

  constructor(digits: string) {
    this.digits = digits
  }

  toString(): string {
    return this.digits
  }

  toJSON(): string {
    return this.digits
  }
}

/** The number of nesting levels that are parsed. All fields that a click stores are on the first level. */
export const maxNesting = 64

const quote = 0x22
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

const endOfString = (text: string, from: number): number => {
  let at = from
  for (let code = text.charCodeAt(at); at < text.length && code !== quote; code = text.charCodeAt(++at)) {
    if (code === backslash) at++
  }
  return at
}

/** The text with each object and array nested deeper than `limit` levels replaced by an empty object. */
const cutNesting = (text: string, limit: number): string => {
  let shallow = ""
  let start = 0
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at + 1)
    else if (code === openBrace || code === openBracket) {
      if (++depth === limit + 1) shallow += text.slice(start, at)
    } else if (code === closeBrace || code === closeBracket) {
      if (depth-- !== limit + 1) continue
      shallow += "{}"
      start = at + 1
    }
  }
  return depth > limit ? shallow : shallow + text.slice(start)
}

const isFlat = (text: string): boolean => text.indexOf("[") === -1 && text.indexOf("{", 1) === -1

type Fields = Record<string, unknown>

// The coordinates are usually a click's only numbers. For them, a double is precise enough.
const isCoordinate = (name: string): boolean => name === "visitor_lat" || name === "visitor_lng"

const hasNumber = (fields: Fields): boolean => {
  for (const name in fields) if (typeof fields[name] === "number" && !isCoordinate(name)) return true
  return false
}

// A number with more than 15 characters, an exponent, or zeros at the beginning or end. Only such numbers can differ from their form in
// JavaScript. Keeping the digits of all numbers would take four times as long as `JSON.parse` alone.
const unusual = /"\s*:\s*-?(?:\d[\d.]{15}|[\d.]+[eE]|\d+\.\d*0(?!\d)|0\.0{6})/

// The third parameter is part of ECMAScript 2026. Without it, numbers stay doubles.
const keepDigits = (_name: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === "number" &&
  value !== 0 &&
  context?.source !== undefined &&
  context.source !== String(value)
    ? new SentNumber(context.source)
    : value

/** Replaces each number that differs from its digits in the text by a `SentNumber`. */
const restoreDigits = (fields: Fields, text: string): void => {
  const exact = JSON.parse(cutNesting(text, 1), keepDigits) as Fields
  for (const name in exact) if (exact[name] instanceof SentNumber) fields[name] = exact[name]
}

/**
 * Parses JSON like `JSON.parse`, in linear time and with the same errors. Objects and arrays nested deeper than `maxNesting` levels become
 * empty objects; their content is not validated. A number in a field of the outermost object becomes a `SentNumber` if a double cannot
 * represent it as sent.
 */
export const parseJson = (text: string): unknown => {
  const value: unknown = JSON.parse(isFlat(text) ? text : cutNesting(text, maxNesting))
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value
  const fields = value as Fields
  if (hasNumber(fields) && unusual.test(text)) restoreDigits(fields, text)
  return fields
}
