import { hash } from "node:crypto"
import { fromDigest, type Uuid } from "@clicks/core/values/Uuid"
import type { MappedRow } from "./RowMapping.ts"

/** Never to be changed: every id that an import gave follows from it. */
const domain = "clicks import row identity 1"

// A field that holds an object or a list cannot be stored; that it holds one is all that counts of it. Nor could one be
// written as JSON that is nested deeply enough.
const flat = (name: string, value: unknown): unknown =>
  name !== "" && typeof value === "object" && value !== null ? "not a text" : value

/**
 * Gives rows their ids, each from all rows up to it: SHA-256(link of the row before ‖ the row's fields as JSON). So an id
 * depends on the row's content and place, not on the file's name, compression or time: the same rows get the same ids.
 */
export const rowIdentity = (namespace: string): ((row: MappedRow) => Uuid) => {
  let link = hash("sha256", namespace === "" ? domain : `${domain}\n${namespace}`)
  return (row) => {
    link = hash("sha256", `${link}\n${JSON.stringify(row, flat)}`)
    return fromDigest(Buffer.from(link, "hex"))
  }
}
