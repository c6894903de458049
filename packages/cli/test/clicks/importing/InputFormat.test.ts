import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { detectFormat, isEnoughForFormat } from "../../../src/clicks/importing/InputFormat.ts"

const detect = (text: string | Buffer, known: ReadonlyArray<string> = ["product_id"], delimiter?: string) =>
  detectFormat(Buffer.from(text), (column) => known.includes(column), delimiter)

const formatOf = (...args: Parameters<typeof detect>) => Result.getOrThrow(detect(...args))

describe("the format of an input", () => {
  it("is detected as soon as a line is complete", () => {
    const isEnough = (text: string) => isEnoughForFormat(Buffer.from(text))
    assert.isFalse(isEnough("\n\nproduct_id,"))
    assert.isFalse(isEnough('product_id,"a\nb'))
    assert.isTrue(isEnough('product_id,"a\nb"\n'))
    assert.isTrue(isEnough("x".repeat(65_536)))
  })

  // With quadratic time, each call would take seconds.
  it("is detected in linear time if the first line is long", { timeout: 10_000 }, () => {
    const beginning = Buffer.alloc(60 * 1024, "1,")
    for (let count = 0; count < 5; count++) assert.isFalse(isEnoughForFormat(beginning))
  })

  it("is detected from the content", () => {
    assert.deepStrictEqual(formatOf(""), { _tag: "Empty" })
    assert.deepStrictEqual(formatOf(" \n"), { _tag: "Empty" })
    assert.deepStrictEqual(formatOf('\n {"a":1}\n'), { _tag: "Ndjson" })
    for (const array of ["[", "[]", '[\n {"a"', "[ [1]]"]) {
      assert.deepStrictEqual(formatOf(array), { _tag: "JsonArray" })
    }
    assert.deepStrictEqual(formatOf("[a],b\n1,2"), {
      _tag: "Csv",
      delimiter: ",",
      lineEnd: "\n",
      header: ["[a]", "b"]
    })
  })

  it("is CSV with the delimiter that yields most known columns, then most columns", () => {
    assert.deepStrictEqual(formatOf("a,b,c,d;product_id\n"), {
      _tag: "Csv",
      delimiter: ";",
      lineEnd: "\n",
      header: ["a,b,c,d", "product_id"]
    })
    assert.deepStrictEqual(formatOf("a|b|c;d\n", []), {
      _tag: "Csv",
      delimiter: "|",
      lineEnd: "\n",
      header: ["a", "b", "c;d"]
    })
    assert.deepStrictEqual(formatOf("product_id\n"), {
      _tag: "Csv",
      delimiter: ",",
      lineEnd: "\n",
      header: ["product_id"]
    })
    assert.deepStrictEqual(formatOf('"product_id"\t"a\nb"\r\n1\t2'), {
      _tag: "Csv",
      delimiter: "\t",
      lineEnd: "\n",
      header: ["product_id", "a\nb"]
    })
    assert.deepStrictEqual(formatOf("a#b\n", [], "#"), {
      _tag: "Csv",
      delimiter: "#",
      lineEnd: "\n",
      header: ["a", "b"]
    })
  })

  it("is CSV with carriage returns as line ends if no line feed is outside quotes", () => {
    const header = ["product_id", "note"]
    assert.deepInclude(formatOf('product_id,note\rp-1,"a\nb"\r'), { lineEnd: "\r", header })
    assert.deepInclude(formatOf('product_id,note\r\np-1,"a\rb"\r\n'), { lineEnd: "\n", header })
  })

  it("is rejected with its name if it is not supported", () => {
    const refusals: ReadonlyArray<readonly [Buffer, RegExp]> = [
      [Buffer.from([0x50, 0x4b, 0x03, 0x04]), /Excel/],
      [Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), /zstd/],
      [Buffer.from("\ufeffproduct_id", "utf16le"), /UTF-16/],
      [Buffer.from("abc\0def"), /binary/],
      [Buffer.from([0x70, 0xe9, 0x2c, 0x61, 0x0a]), /not UTF-8/]
    ]
    for (const [bytes, reason] of refusals) {
      assert.match(Result.getOrThrow(Result.flip(detect(bytes))), reason)
    }
  })
})
