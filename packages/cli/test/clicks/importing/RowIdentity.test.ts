import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { rowIdentity } from "../../../src/clicks/importing/RowIdentity.ts"
import { mapRow, parseMapping } from "../../../src/clicks/importing/RowMapping.ts"

const mapping = Result.getOrThrow(parseMapping([], []))

const ids = (rows: ReadonlyArray<Record<string, unknown>>, namespace = "") =>
  rows.map((row) => mapRow(mapping, row)).map(rowIdentity(namespace))

const a = { product_id: "p-1", action: "view", source: "web" }
const b = { product_id: "p-2", action: "view", source: "web" }

describe("the identity of a row", () => {
  it("is the same in all versions, so that rows imported by an older version are recognised", () => {
    assert.deepStrictEqual(ids([a, a]), [
      "16a88f03-8ce0-84e7-8cc7-6f2830b2e62e",
      "3884626c-8ab0-87b4-981b-504aebd81cfe"
    ])
  })

  it("depends on content and position: equal rows of a file differ, and keep their ids when the file grows", () => {
    const short = ids([a, a, b])
    assert.strictEqual(new Set(short).size, 3)
    assert.deepStrictEqual(ids([a, a, b, b, a]).slice(0, 3), short)
    assert.notStrictEqual(ids([b, a])[1], ids([a, a])[1])
  })

  it("does not depend on the order of the columns or on columns that are not read", () => {
    const { action, product_id, source } = a
    assert.deepStrictEqual(ids([{ other: 1, source, store_id: "", action, product_id }]), ids([a]))
  })

  it("differs between namespaces", () => {
    assert.notDeepEqual(ids([a], "monday"), ids([a]))
    assert.notDeepEqual(ids([a], "monday"), ids([a], "tuesday"))
  })

  it("exists for rows of any nesting depth", () => {
    const deep: unknown = JSON.parse(`${"[".repeat(200_000)}${"]".repeat(200_000)}`)
    assert.deepStrictEqual(ids([{ ...a, store_id: deep }]), ids([{ ...a, store_id: {} }]))
  })
})
