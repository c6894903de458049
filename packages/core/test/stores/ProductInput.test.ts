import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { Product } from "../../src/stores/Product.ts"
import { readMenu, readProduct } from "../../src/stores/ProductInput.ts"

const nothing = { name: null, brand: null, category: null, price: null, thc: null, in_stock: null, url: null }
const read = (fields: unknown) => Result.merge(readProduct(fields))
const readOne = (fields: Record<string, unknown>) => read({ product_id: "p", ...fields })

describe("readProduct", () => {
  it("keeps known and additional fields", () => {
    const product = {
      product_id: "p-1",
      name: "Blue Dream",
      brand: "Green Leaf",
      category: "Flower",
      price: 34.5,
      thc: 22.4,
      in_stock: false,
      url: "https://shop.example/p-1",
      strain: null,
      weights: [1, { unit: "g", "\0": "\ud83d" }]
    }
    assert.deepStrictEqual(read(product), product)
  })

  it("requires only product_id", () => {
    assert.deepStrictEqual(read({ product_id: "p" }), { product_id: "p", ...nothing })
    assert.deepStrictEqual(read({ product_id: 17 }), { product_id: "17", ...nothing })
    const required = "product_id is required and must be a non-empty string"
    for (const product_id of [undefined, null, "", true, {}, ["p"]]) {
      assert.strictEqual(read({ product_id, name: "n" }), required)
    }
    for (const value of [null, 1, "p", [], [{ product_id: "p" }]]) {
      assert.strictEqual(read(value), "a product must be an object")
    }
  })

  it.each([
    ["price", "34.50", 34.5],
    ["price", " $ 34.5 ", 34.5],
    ["price", "$.5", 0.5],
    ["price", 0, 0],
    ["price", -0, 0],
    ["price", 1e15, 1e15],
    ["price", 1e16, null],
    ["price", -1, null],
    ["price", "-1", null],
    ["price", "1e3", null],
    ["price", "34,50", null],
    ["price", "call us", null],
    ["price", "", null],
    ["price", {}, null],
    ["price", Number.POSITIVE_INFINITY, null],
    ["thc", "22.4 %", 22.4],
    ["thc", "9".repeat(400), null],
    ["in_stock", "TRUE", true],
    ["in_stock", "false", false],
    ["in_stock", 1, null],
    ["in_stock", "yes", null],
    ["name", 420, "420"],
    ["name", "", null],
    ["name", { en: "x" }, null],
    ["brand", " a ", " a "],
    ["brand", "a\0b\ud83d😀", "a\ufffdb\ufffd😀"],
    ["category", false, null],
    ["url", "/p/1?a=b:c", "/p/1?a=b:c"],
    ["url", "HTTPS://shop.example", "HTTPS://shop.example"],
    ["url", "javascript:alert(1)", null],
    ["url", " java\nscript:alert(1)", null],
    ["url", "data:text/html,x", null]
  ])("%s %j is read as %j", (field, value, expected) => {
    assert.deepStrictEqual(readOne({ [field]: value }), { product_id: "p", ...nothing, [field]: expected })
  })

  it("rejects only nesting beyond the limit", () => {
    const nested = (levels: number): Schema.Json => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`)
    assert.deepStrictEqual(readOne({ deep: nested(63) }), { product_id: "p", ...nothing, deep: nested(63) })
    assert.strictEqual(readOne({ deep: nested(64) }), "is nested deeper than 64 levels")
    assert.strictEqual(readOne({ deep: nested(10_000) }), "is nested deeper than 64 levels")
  })

  it("keeps fields named like properties of Object", () => {
    const product = JSON.parse('{"product_id":"p","__proto__":{"price":1},"constructor":2,"toString":3}')
    assert.strictEqual(
      JSON.stringify(read(product)),
      JSON.stringify({
        product_id: "p",
        ...nothing,
        ...JSON.parse('{"__proto__":{"price":1},"constructor":2,"toString":3}')
      })
    )
  })

  it.prop("returns a product or a reason for any JSON", [Schema.JsonObject], ([json]) => {
    const result = readProduct({ product_id: "p", ...json })
    if (Result.isSuccess(result)) Schema.decodeUnknownSync(Product)(result.success)
    else assert.match(result.failure, /^product_id is required/)
  })
})

const menu = (value: unknown) => Result.merge(readMenu(value))

describe("readMenu", () => {
  it("keeps valid entries and reports invalid ones", () => {
    const good = [{ product_id: "a" }, { product_id: "b" }]
    assert.deepStrictEqual(menu([good[0], 42, {}, good[1], { product_id: "a", name: "again" }]), {
      read: good.map((product) => ({ ...product, ...nothing })),
      rejected: 3,
      errors: [
        { index: 1, error: "a product must be an object" },
        { index: 2, error: "product_id is required and must be a non-empty string" },
        { index: 4, error: "product_id is repeated" }
      ]
    })
  })

  it("accepts an empty menu", () => {
    assert.deepStrictEqual(menu([]), { read: [], rejected: 0, errors: [] })
  })

  it("reports at most a hundred invalid entries", () => {
    const parsed = menu([{ product_id: "a" }, ...Array.from({ length: 1000 }, () => null)])
    assert.propertyVal(parsed, "rejected", 1000)
    assert.lengthOf("errors" in parsed ? parsed.errors : [], 100)
  })

  it.each([
    [{ products: [] }, "is not an array of products"],
    [null, "is not an array of products"],
    ["[]", "is not an array of products"],
    [Array.from({ length: 100_001 }, () => 0), "has 100001 products; the limit is 100000"],
    [["x"], "contains no valid product; entry 0: a product must be an object"]
  ])("rejects an invalid menu", (value, message) => {
    assert.propertyVal(menu(value), "message", message)
  })

  it.prop("keeps or rejects each entry", [Schema.Array(Schema.Json)], ([entries]) => {
    const parsed = readMenu([{ product_id: "first" }, ...entries])
    const { read, rejected } = Result.getOrThrow(parsed)
    assert.strictEqual(read.length + rejected, entries.length + 1)
  })
})
