import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { maxNesting, parseJson, SentNumber } from "../../src/clicks/parseJson.ts"
import { mutated, mutations } from "./malformedJson.ts"

const nested = (levels: number, inside = "") => `${"[".repeat(levels)}${inside}${"]".repeat(levels)}`

const outcome = (read: () => unknown): unknown => {
  try {
    return read()
  } catch (error) {
    return error instanceof SyntaxError ? "not JSON" : error
  }
}

const toNumber = (value: unknown): unknown => (value instanceof SentNumber ? Number(value) : value)

/** The value with each `SentNumber` as a number. */
const withNumbers = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, toNumber(field)]))
}

/** The number of nested objects and arrays. */
const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

describe("parseJson", () => {
  it.prop("returns what JSON.parse returns", [Schema.Json, Schema.Literals(["", "\t"])], ([json, indent]) => {
    const text = JSON.stringify(json, null, indent)
    assert.deepStrictEqual(withNumbers(parseJson(text)), withNumbers(JSON.parse(text)))
  })

  it.prop("rejects what JSON.parse rejects", [Schema.JsonObject, mutations], ([json, changes]) => {
    const text = mutated(JSON.stringify(json), changes)
    assert.deepStrictEqual(
      outcome(() => withNumbers(parseJson(text))),
      outcome(() => withNumbers(JSON.parse(text)))
    )
  })

  it.each([
    "9007199254740993",
    "-9007199254740993",
    "12345678901234567890",
    "1e400",
    "-1E+3",
    "1.10",
    "17.0",
    "0.10000000000000000001",
    "0.0000001",
    "100000000000000000000000"
  ])("keeps the digits of %s in the fields of an object", (digits) => {
    for (const text of [`{"a":${digits}}`, `{ "b" : {"c": 1e400}, "\\u0061" :\n${digits} , "d": [2.0]}`]) {
      const { a } = parseJson(text) as Readonly<Record<string, unknown>>
      assert.strictEqual(String(a), digits)
    }
  })

  it.each(["0", "-0", "0.0", "0e7", "17", "-17.5", "1234567.00000001", "0.000001", "9007199254740"])(
    "reads %s as a number",
    (digits) =>
      assert.deepStrictEqual(parseJson(`{"a":${digits},"b":1e400}`), {
        a: Number(digits),
        b: new SentNumber("1e400")
      })
  )

  it.prop("keeps every digit of a number", [Schema.Finite, mutations], ([number, changes]) => {
    const digits = mutated(String(number), changes)
    const value = outcome(() => JSON.parse(digits))
    if (typeof value !== "number" || value === 0) return
    const { a } = parseJson(`{"a":${digits}}`) as Readonly<Record<string, unknown>>
    assert.strictEqual(String(a), digits.trim())
    assert.strictEqual(Number(a), value)
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
