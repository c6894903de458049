import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as ProductAggregate from "../../src/stores/ProductAggregate.ts"
import * as ProductQuery from "../../src/stores/ProductQuery.ts"
import { parseQuery } from "../../src/stores/Stores.ts"
import { quote } from "../../src/values/InvalidInput.ts"
import type { QueryParameters } from "../../src/values/QueryParameters.ts"

const parse = (parameters: QueryParameters) => {
  const result = ProductQuery.parse(parameters)
  return Result.isFailure(result) ? result.failure.message : result.success
}
const parseAggregate = (parameters: QueryParameters) => {
  const result = ProductAggregate.parse(parameters)
  return Result.isFailure(result) ? result.failure.message : result.success
}

const nothing: ProductQuery.ProductQuery = { filter: {}, order: "asc", limit: 100, offset: 0 }
const names = [
  "brand",
  "category",
  "price_min",
  "price_max",
  "thc_min",
  "thc_max",
  "in_stock",
  "search",
  "sort",
  "order",
  "limit",
  "offset"
]

describe("ProductQuery.parse", () => {
  it("has a limit of 100 in the menu's order by default; empty parameters are absent", () => {
    assert.deepStrictEqual(parse({}), nothing)
    assert.deepStrictEqual(parse(Object.fromEntries(names.map((name) => [name, ""]))), nothing)
    assert.deepStrictEqual(parse({ brand: ["", ""], limit: ["", "7"] }), { ...nothing, limit: 7 })
  })

  it("reads every parameter without changing its text", () => {
    assert.deepStrictEqual(
      parse({
        brand: ["a", " b "],
        category: "c",
        price_min: "-1",
        price_max: "12.50",
        thc_min: ".5",
        thc_max: "+30.",
        in_stock: "false",
        search: " 100%_ ",
        sort: "thc",
        order: "desc",
        limit: "1000",
        offset: "999999999999999"
      }),
      {
        filter: {
          brand: ["a", " b "],
          category: ["c"],
          price_min: -1,
          price_max: 12.5,
          thc_min: 0.5,
          thc_max: 30,
          in_stock: false,
          search: " 100%_ "
        },
        sort: "thc",
        order: "desc",
        limit: 1000,
        offset: 999_999_999_999_999
      }
    )
  })

  it("ignores unknown parameters", () => {
    assert.deepStrictEqual(parse({ group_by: "brand", constructor: "x" }), nothing)
  })

  it.each(["price_min", "price_max", "thc_min", "thc_max"])("%s must be a number", (name) => {
    for (const text of ["x", "1e3", "0x10", "1,5", "NaN", "Infinity", ".", "-", " 1", "9".repeat(400)]) {
      assert.strictEqual(
        parse({ [name]: text }),
        `${name} must be a number, such as 12.5; it is ${quote(text)}`
      )
    }
  })

  it.each([
    [{ in_stock: "yes" }, 'in_stock must be one of: true, false; it is "yes"'],
    [{ sort: "Price" }, 'sort must be one of: name, price, thc, brand, category; it is "Price"'],
    [{ order: "up" }, 'order must be one of: asc, desc; it is "up"'],
    [{ sort: ["name", "price"] }, "sort must be given only once"],
    [{ search: ["a", "b"] }, "search must be given only once"],
    [{ price_min: ["1", "2"] }, "price_min must be given only once"],
    [{ limit: "0" }, 'limit must be a whole number, from 1 to 1000; it is "0"'],
    [{ limit: "1001" }, 'limit must be a whole number, from 1 to 1000; it is "1001"'],
    [{ limit: "1.5" }, 'limit must be a whole number, from 1 to 1000; it is "1.5"'],
    [{ limit: "٣" }, 'limit must be a whole number, from 1 to 1000; it is "٣"'],
    [{ offset: "-1" }, 'offset must be a whole number, 0 or more; it is "-1"'],
    [
      { offset: "99999999999999999999" },
      'offset must be a whole number, from 0 to 9007199254740991; it is "99999999999999999999"'
    ]
  ])("%j is rejected", (parameters, message) => {
    assert.strictEqual(parse(parameters), message)
  })
})

describe("ProductAggregate.parse", () => {
  it("reads the grouping and the same filters", () => {
    assert.deepStrictEqual(parseAggregate({ group_by: "category", brand: "b", limit: "x" }), {
      group_by: "category",
      filter: { brand: ["b"] }
    })
  })

  it.each([
    [{}, "group_by is required and must be one of: brand, category"],
    [{ group_by: "" }, "group_by is required and must be one of: brand, category"],
    [{ group_by: "name" }, 'group_by must be one of: brand, category; it is "name"'],
    [{ group_by: ["brand", "category"] }, "group_by must be given only once"],
    [{ group_by: "brand", thc_max: "lots" }, 'thc_max must be a number, such as 12.5; it is "lots"']
  ])("%j is rejected", (parameters, message) => {
    assert.strictEqual(parseAggregate(parameters), message)
  })
})

describe("parseQuery", () => {
  it("reads a state and a page", () => {
    const all = Result.getOrThrow(parseQuery({ state: "" }))
    assert.deepStrictEqual(all, { limit: 100, offset: 0 })
    const some = Result.getOrThrow(parseQuery({ state: "AZ", limit: "5", offset: "10" }))
    assert.deepStrictEqual(some, { state: "AZ", limit: 5, offset: 10 })
  })

  it("rejects unknown states", () => {
    const message = Result.merge(Result.mapError(parseQuery({ state: "ZZ" }), (error) => error.message))
    assert.match(String(message), /^state must be one of: AL, AK, AZ, /)
  })
})
