import { hash } from "node:crypto"
import { fromDigest, type Uuid } from "@clicks/core/values/Uuid"
import type { MappedRow } from "./RowMapping.ts"

/** Never change it: the ids of all imported rows depend on it. */
const domain = "clicks import row identity 1"

// Objects and lists cannot be stored in a field, so all of them count as the same value. A deeply nested one would also make
// `JSON.stringify` fail.
const flat = (name: string, value: unknown): unknown =>
  name !== "" && typeof value === "object" && value !== null ? "not a text" : value

/**
 * Derives the id of each row from the row and all rows before it: SHA-256(link of the row before ‖ the row's fields as JSON). The
 * file's name, compression and time do not matter: the same rows get the same ids.
 */
export const rowIdentity = (namespace: string): ((row: MappedRow) => Uuid) => {
  let link = hash("sha256", namespace === "" ? domain : `${domain}\n${namespace}`)
  return (row) => {
    link = hash("sha256", `${link}\n${JSON.stringify(row, flat)}`)
    return fromDigest(Buffer.from(link, "hex"))
  }
}
