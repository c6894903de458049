import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { maxNesting, parseJson } from "../../src/clicks/parseJson.ts"
import { mutated, mutations } from "./malformedJson.ts"

const nested = (levels: number, inside = "") => `${"[".repeat(levels)}${inside}${"]".repeat(levels)}`

const outcome = (read: () => unknown): unknown => {
  try {
    return read()
  } catch (error) {
    return error instanceof SyntaxError ? "not JSON" : error
  }
}

/** Levels of objects and arrays. */
const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

describe("parseJson", () => {
  it.prop("reads what JSON.parse reads", [Schema.Json, Schema.Literals(["", "\t"])], ([json, indent]) => {
    const text = JSON.stringify({ json }, null, indent)
    assert.deepStrictEqual(parseJson(text), JSON.parse(text))
  })

  it.prop("rejects what JSON.parse rejects", [Schema.JsonObject, mutations], ([json, changes]) => {
    const text = mutated(JSON.stringify(json), changes)
    assert.deepStrictEqual(
      outcome(() => parseJson(text)),
      outcome(() => JSON.parse(text))
    )
  })

  it("reads 64 levels, and deeper ones as empty objects", () => {
    assert.strictEqual(maxNesting, 64)
    assert.deepStrictEqual(parseJson(nested(64)), JSON.parse(nested(64)))
    assert.deepStrictEqual(parseJson(nested(65)), JSON.parse(nested(64, "{}")))
    const text = `{"a":${nested(100_000, '"]}\\"["')},"b":[{"]":1}],"c":${nested(64)}}`
    const value = parseJson(text) as Readonly<Record<string, unknown>>
    assert.deepStrictEqual(Object.keys(value), ["a", "b", "c"])
    assert.deepStrictEqual(value["b"], [{ "]": 1 }])
    assert.strictEqual(depthOf(value["a"]), 64)
  })

  it("rejects deep nesting that is not closed", () => {
    for (const text of [
      "[".repeat(100_000),
      `${nested(100)}]`,
      `{"a":${"[".repeat(100)}${"]".repeat(99)}}`
    ]) {
      assert.throws(() => parseJson(text), SyntaxError)
    }
  })
})
