import { parseJson } from "@clicks/core/clicks/parseJson"
import { Predicate, Result } from "effect"
import type { Columns, RowFormat } from "./InputRow.ts"
import { type RowScanner, rowCutter } from "./RowCutter.ts"

const parse = (original: Buffer): Result.Result<Columns, string> => {
  try {
    const value = parseJson(original.toString())
    return Predicate.isObject(value) && !Array.isArray(value)
      ? Result.succeed(value as Columns)
      : Result.fail("is not a JSON object")
  } catch (error) {
    return Result.fail(`is not JSON: ${error instanceof Error ? error.message : error}`)
  }
}

const lineEnd = 0x0a
const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

const isPadding = (byte: number): boolean =>
  byte === 0x20 || byte === lineEnd || byte === 0x0d || byte === 0x09

const lineScanner: RowScanner = {
  lineEnd,
  isPadding,
  begins: () => true,
  findEnd: (chunk, at) => chunk.indexOf(lineEnd, at),
  damage: () => undefined,
  damageAtEnd: () => undefined
}

/** Newline-delimited JSON: an object per line. */
export const ndjsonFormat: RowFormat = { parse, cutter: () => rowCutter(lineScanner) }

/** Finds the elements of an array. An object ends at its closing brace, even if the array is cut off after it. */
const arrayScanner = (): RowScanner => {
  let place: "before" | "within" | "behind" = "before"
  let damage: string | undefined
  let depth = 0
  let inString = false
  let isEscaped = false

  return {
    lineEnd,
    isPadding,
    begins: (chunk, at, lineAt) => {
      const byte = chunk[at]
      if (place === "behind") damage = `unexpected text after the JSON array, on line ${lineAt(at)}`
      else if (place === "before") place = "within"
      else if (byte === closeBracket) place = "behind"
      else return byte !== comma
      return false
    },
    findEnd: (chunk, start) => {
      for (let at = start; at < chunk.length; at++) {
        const byte = chunk[at] ?? 0
        if (isEscaped) isEscaped = false
        else if (inString) {
          isEscaped = byte === backslash
          inString = byte !== quote
        } else if (byte === quote) inString = true
        else if (byte === openBrace || byte === openBracket) depth++
        else if (depth === 0 && (byte === comma || byte === closeBracket || isPadding(byte))) return at
        else if (depth > 0 && (byte === closeBrace || byte === closeBracket) && --depth === 0) return at + 1
      }
      return -1
    },
    damage: () => damage,
    damageAtEnd: (line) =>
      place === "behind" ? undefined : `the JSON array is not closed; it ends on line ${line}`
  }
}

/** A JSON array of objects. */
export const jsonArrayFormat: RowFormat = { parse, cutter: () => rowCutter(arrayScanner()) }
