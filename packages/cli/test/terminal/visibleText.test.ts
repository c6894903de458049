import { assert, describe, it } from "@effect/vitest"
import { visibleJson, visibleText } from "../../src/terminal/visibleText.ts"

describe("characters that a terminal interprets", () => {
  it("are made visible", () => {
    assert.strictEqual(visibleText("\u001b[31mred\u0007\r\n\t\u007f"), "␛[31mred␇␍␊ ␡")
    assert.strictEqual(
      visibleText("\u009b2J \u202etxt.exe \u2028 \ufeff"),
      "\\u009b2J \\u202etxt.exe \\u2028 \\ufeff"
    )
    assert.strictEqual(visibleText("ä 名前 👩‍👩‍👧 e\u0301"), "ä 名前 👩‍👩‍👧 e\u0301")
  })

  it("are escaped in JSON without changing its meaning", () => {
    const value = { a: "\u001b \u007f \u009b \u202e \ud800 \u2028 ä😀", b: [1, "\n"] }
    const json = visibleJson(JSON.stringify(value, null, 2))
    assert.isFalse(/(?!\n)[\p{Cc}\u202e\u2028]/u.test(json))
    assert.deepStrictEqual(JSON.parse(json), value)
  })
})
