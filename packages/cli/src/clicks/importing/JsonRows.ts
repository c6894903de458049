import { parseJson } from "@clicks/core/clicks/parseJson"
import { Predicate, Result } from "effect"
import {
  type Columns,
  type InputRow,
  mapRows,
  maxRowBytes,
  type RowCutter,
  type RowFormat
} from "./InputRow.ts"
import { recordCutter } from "./RecordCutter.ts"

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

const lineFeed = 0x0a
const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

const isSpace = (byte: number): boolean =>
  byte === 0x20 || byte === lineFeed || byte === 0x0d || byte === 0x09

const isFilled = ({ original }: InputRow): boolean => !original.every(isSpace)

/** Newline-delimited JSON: an object per line. */
export const ndjsonFormat: RowFormat = {
  parse,
  cutter: () => {
    const lines = recordCutter({
      lineEnd: lineFeed,
      findEnd: (bytes, start) => bytes.indexOf(lineFeed, start),
      openQuote: () => -1
    })
    return mapRows(lines, (rows) => rows.filter(isFilled))
  }
}

/** Finds the end of a value in an array, byte by byte: whether the byte is within it, its last one, or behind it. */
const valueScanner = (): ((byte: number) => "within" | "last" | "behind") => {
  let depth = 0
  let inString = false
  let isEscaped = false
  return (byte) => {
    if (inString) {
      inString = isEscaped || byte !== quote
      isEscaped = !isEscaped && byte === backslash
    } else if (byte === quote) inString = true
    else if (byte === openBrace || byte === openBracket) depth++
    else if (depth > 0) {
      if ((byte === closeBrace || byte === closeBracket) && --depth === 0) return "last"
    } else if (byte === comma || byte === closeBracket || isSpace(byte)) return "behind"
    return "within"
  }
}

type Place = "before the array" | "between elements" | "in an element" | "behind the array"

const arrayCutter = (): RowCutter => {
  let parts: Array<Buffer> = []
  let size = 0
  let scan = valueScanner()
  let place: Place = "before the array"
  let line = 1
  let elementLine = 1
  let excessLine: number | undefined

  const keep = (part: Buffer): void => {
    if (size < maxRowBytes) parts.push(part.subarray(0, maxRowBytes - size))
    size += part.length
  }

  const take = (): InputRow => {
    const row = { line: elementLine, original: Buffer.concat(parts), isCutOff: size > maxRowBytes }
    parts = []
    size = 0
    place = "between elements"
    return row
  }

  const passSeparator = (byte: number): void => {
    if (isSpace(byte)) return
    if (place === "behind the array") excessLine ??= line
    else if (place === "before the array") place = "between elements"
    else if (byte === closeBracket) place = "behind the array"
    else if (byte !== comma) {
      place = "in an element"
      elementLine = line
      scan = valueScanner()
      scan(byte)
    }
  }

  return {
    push: (bytes) => {
      const rows: Array<InputRow> = []
      let start = 0
      for (let index = 0; index < bytes.length; index++) {
        const byte = bytes[index] ?? 0
        const found = place === "in an element" ? scan(byte) : "behind"
        if (found !== "within" && place === "in an element") {
          keep(bytes.subarray(start, found === "last" ? index + 1 : index))
          rows.push(take())
        }
        if (found === "behind") {
          passSeparator(byte)
          start = index
        }
        if (byte === lineFeed) line++
      }
      if (place === "in an element") keep(bytes.subarray(start))
      return rows
    },
    end: () => {
      if (excessLine !== undefined)
        return { rows: [], damage: `unexpected text after the JSON array, on line ${excessLine}` }
      if (place === "behind the array") return { rows: [] }
      return { rows: [], damage: `the JSON array is not closed; it ends on line ${line}` }
    }
  }
}

/** A JSON array of objects. */
export const jsonArrayFormat: RowFormat = { parse, cutter: arrayCutter }
