import { boundedBytes } from "./BoundedBytes.ts"
import { type InputRow, maxRowBytes, type RowReader, tooLong, unreadable } from "./InputRow.ts"
import { isJsonSpace, jsonElementScanner } from "./JsonElementScanner.ts"
import { readJsonRow } from "./JsonRow.ts"

const comma = 0x2c
const closeBracket = 0x5d
const lineFeed = 0x0a

type Place = "before the array" | "between elements" | "in an element" | "behind the array"

/**
 * Reads a JSON array of objects.
 *
 * Finds only where each element begins and ends; reading it is for `JSON.parse`. To a streaming parser the whole array is
 * one document: a single broken element ends the reading, and a single endless text has to fit in memory.
 */
export const jsonArrayRows = (): RowReader => {
  const element = boundedBytes(maxRowBytes)
  let scan = jsonElementScanner()
  let place: Place = "before the array"
  let line = 1
  let elementLine = 1
  let excessLine: number | undefined

  const take = (): InputRow => {
    const { bytes, isCutOff } = element.take()
    place = "between elements"
    scan = jsonElementScanner()
    return isCutOff ? unreadable(elementLine, tooLong, bytes) : readJsonRow(elementLine, bytes)
  }

  const outside = (byte: number): void => {
    if (isJsonSpace(byte)) return
    if (place === "behind the array") excessLine ??= line
    else if (place === "before the array") place = "between elements"
    else if (byte === closeBracket) place = "behind the array"
    else if (byte !== comma) {
      place = "in an element"
      elementLine = line
      scan(byte)
    }
  }

  const push = (bytes: Uint8Array): ReadonlyArray<InputRow> => {
    const rows: Array<InputRow> = []
    let start = 0
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index] ?? 0
      const found = place === "in an element" ? scan(byte) : "behind"
      if (found !== "inside" && place === "in an element") {
        element.keep(bytes.subarray(start, found === "last" ? index + 1 : index))
        rows.push(take())
      }
      if (found === "behind") {
        outside(byte)
        start = index
      }
      if (byte === lineFeed) line++
    }
    if (place === "in an element") element.keep(bytes.subarray(start))
    return rows
  }

  const damage = (): string | undefined => {
    if (excessLine !== undefined) return `unexpected text after the JSON array, on line ${excessLine}`
    if (place === "behind the array") return undefined
    return `the JSON array is not closed; it ends on line ${line}`
  }

  return {
    push,
    end: () => {
      const found = damage()
      return found === undefined ? { rows: [] } : { rows: [], damage: found }
    }
  }
}
