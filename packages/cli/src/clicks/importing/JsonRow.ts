import { isUtf8 } from "node:buffer"
import { parseJson } from "@clicks/core/clicks/parseJson"
import { Predicate } from "effect"
import { type InputRow, notUtf8, type ReadableRow, readable, unreadable } from "./InputRow.ts"

const parse = (bytes: Uint8Array): unknown =>
  parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString())

const readAgain = (bytes: Uint8Array) => parse(bytes) as ReadableRow["columns"]

/** Reads one JSON object from its bytes. */
export const readJsonRow = (line: number, bytes: Uint8Array): InputRow => {
  if (!isUtf8(bytes)) return unreadable(line, notUtf8, bytes)
  try {
    const value = parse(bytes)
    if (!Predicate.isObject(value) || Array.isArray(value)) {
      return unreadable(line, "is not a JSON object", bytes)
    }
    return readable(line, bytes, value as ReadableRow["columns"], readAgain)
  } catch (error) {
    return unreadable(line, `is not JSON: ${error instanceof Error ? error.message : error}`, bytes)
  }
}
