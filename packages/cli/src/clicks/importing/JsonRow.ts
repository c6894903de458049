import { isUtf8 } from "node:buffer"
import { Predicate } from "effect"
import { type InputRow, notUtf8, unreadable } from "./InputRow.ts"

/** Reads one JSON object from its bytes. */
export const readJsonRow = (line: number, bytes: Uint8Array): InputRow => {
  if (!isUtf8(bytes)) return unreadable(line, notUtf8, bytes)
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString())
    if (!Predicate.isObject(value) || Array.isArray(value)) {
      return unreadable(line, "is not a JSON object", bytes)
    }
    return { _tag: "Readable", line, columns: value as Readonly<Record<string, unknown>>, original: bytes }
  } catch (error) {
    return unreadable(line, `is not JSON: ${error instanceof Error ? error.message : error}`, bytes)
  }
}
