import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { compareCodePoints, fold } from "../../src/values/Text.ts"

describe("fold", () => {
  it.each([
    ["BLUE Dream", "blue dream"],
    ["STRASSE", "straße"],
    ["ΟΔΟΣ", "οδος"],
    ["ΟΔΟΣ", "οδοσ"],
    ["ÉCLAIR", "e\u0301clair"],
    ["ﬁne", "FINE"],
    ["Ⅸ", "ix"]
  ])("%s and %s are the same", (a, b) => {
    assert.strictEqual(fold(a), fold(b))
  })

  it("distinguishes accents", () => {
    assert.notStrictEqual(fold("creme"), fold("crème"))
  })

  it.prop("is idempotent", [Schema.String], ([text]) => {
    assert.strictEqual(fold(fold(text)), fold(text))
  })
})

describe("compareCodePoints", () => {
  it.prop("is the order of the UTF-8 bytes", [Schema.String, Schema.String], ([a, b]) => {
    const [left, right] = [a.toWellFormed(), b.toWellFormed()]
    const bytes = Buffer.compare(Buffer.from(left), Buffer.from(right))
    assert.strictEqual(Math.sign(compareCodePoints(left, right)), bytes)
  })

  it("sorts characters beyond the first plane last", () => {
    assert.isBelow(compareCodePoints("\uffee", "😀"), 0)
    assert.isBelow(compareCodePoints("a", "a\0"), 0)
  })
})
