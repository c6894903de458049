import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as ClickInput from "../../src/clicks/ClickInput.ts"
import { SentNumber } from "../../src/clicks/parseJson.ts"

const valid = { product_id: "p-1", action: "view", source: "web" }

const rejection = (body: unknown) => Result.merge(Result.flip(ClickInput.parse(body)))
const message = (body: unknown) => {
  const result = ClickInput.parse(body)
  return Result.isFailure(result) ? result.failure.message : undefined
}
const parsed = (extra: object) => {
  const result = ClickInput.parse({ ...valid, ...extra })
  if (Result.isFailure(result)) throw result.failure
  return result.success
}

describe("the rules of section 4.1", () => {
  it.each([
    ["missing", {}],
    ["empty", { product_id: "" }],
    ["a number", { product_id: 7 }],
    ["null", { product_id: null }],
    ["an object", { product_id: {} }]
  ])("product_id %s is rejected first, whatever else is wrong", (_, body) => {
    assert.match(message({ action: "no", ...body }) ?? "", /product_id is required/)
  })

  it.each([undefined, null, "", "click", "VIEW", 1, ["view"], {}, "toString"])(
    "rejects action %j and names the five actions",
    (action) => {
      assert.match(
        message({ product_id: "p", action }) ?? "",
        /action .* one of: view, open_store, open_product, compare, other$/
      )
    }
  )

  it.each(["view", "open_store", "open_product", "compare", "other"])("action %s is accepted", (action) => {
    assert.strictEqual(parsed({ action }).fields.action, action)
  })

  it.each([undefined, null, "", 0, false, []])("source %j is rejected last", (source) => {
    assert.match(message({ product_id: "p", action: "view", source }) ?? "", /source is required/)
  })

  it.each([null, undefined, [], [valid], "text", 3, true])("a body %j is rejected", (body) => {
    assert.match(message(body) ?? "", /JSON object/)
  })

  it("fails with ClickRejected", () => {
    assert.instanceOf(rejection({}), ClickInput.ClickRejected)
  })

  it("accepts any value of all other fields", () => {
    const names = [
      "store_id",
      "brand_id",
      "campaign_id",
      "dispensary_name",
      "page_type",
      "url_path",
      "occurred_at",
      "sent_at",
      "visitor_id",
      "session_id"
    ]
    const places = ["visitor_city", "visitor_state", "visitor_lat", "visitor_lng"]
    const odd = [{}, [], "\0", "\uD800", "x".repeat(60_000), 1e308, -0, true, "abc", { a: { b: [null] } }]
    for (const name of [...names, ...places]) for (const value of odd) parsed({ [name]: value })
  })
})

describe("the null rule of section 2.2", () => {
  it.each([undefined, null, "", 0, false, -0])("%j becomes null in every optional field", (value) => {
    const names = ["store_id", "brand_id", "campaign_id", "dispensary_name", "page_type", "url_path"] as const
    for (const name of [
      ...names,
      "visitor_city",
      "visitor_state",
      "visitor_lat",
      "visitor_lng",
      "visitor_id",
      "session_id",
      "occurred_at"
    ] as const) {
      const { fields, losses } = parsed({ [name]: value })
      assert.isNull(fields[name], name)
      assert.deepStrictEqual(losses, [])
    }
  })

  it("keeps a number or a boolean in a text field as its text", () => {
    assert.strictEqual(parsed({ store_id: 17 }).fields.store_id, "17")
    assert.strictEqual(parsed({ page_type: true }).fields.page_type, "true")
    assert.strictEqual(parsed({ brand_id: -1.5 }).fields.brand_id, "-1.5")
  })

  it("keeps the digits of a number that does not fit into a double", () => {
    const large = new SentNumber("9007199254740993")
    assert.deepStrictEqual(parsed({ store_id: large, visitor_lat: new SentNumber("33.450") }), {
      ...parsed({ store_id: "9007199254740993", visitor_lat: 33.45 })
    })
    assert.deepStrictEqual(parsed({ visitor_lat: new SentNumber("1e400") }).losses, [
      "visitor_lat is not a number"
    ])
    assert.match(message({ ...valid, product_id: large }) ?? "", /product_id is required/)
  })

  it("keeps text exactly, including white space", () => {
    const text = ` "quoted", 'single'\n\ttab 😀 é `
    assert.strictEqual(parsed({ url_path: text }).fields.url_path, text)
    assert.strictEqual(parsed({ product_id: " " }).fields.product_id, " ")
  })

  it("trims visitor_id and session_id, which may have 64 characters", () => {
    const { fields, losses } = parsed({ visitor_id: ` \t${"😀".repeat(64)}\n`, session_id: 17 })
    assert.deepStrictEqual([fields.visitor_id, fields.session_id], ["😀".repeat(64), "17"])
    assert.isNull(parsed({ visitor_id: " \n" }).fields.visitor_id)
    assert.deepStrictEqual(losses, [])
  })

  it("reads coordinates from numbers and decimal text", () => {
    assert.strictEqual(parsed({ visitor_lat: 33.45 }).fields.visitor_lat, 33.45)
    assert.strictEqual(parsed({ visitor_lng: "-112.07" }).fields.visitor_lng, -112.07)
    assert.strictEqual(parsed({ visitor_lat: 1234 }).fields.visitor_lat, 1234)
  })
})

describe("a value that cannot be stored", () => {
  it.each([
    [{ visitor_city: { name: "Phoenix" } }, "visitor_city", "visitor_city is not a text"],
    [{ visitor_lat: "abc" }, "visitor_lat", "visitor_lat is not a number"],
    [{ visitor_lat: "0x10" }, "visitor_lat", "visitor_lat is not a number"],
    [{ visitor_lat: " " }, "visitor_lat", "visitor_lat is not a number"],
    [{ visitor_lng: true }, "visitor_lng", "visitor_lng is not a number"],
    [{ visitor_lng: Number.POSITIVE_INFINITY }, "visitor_lng", "visitor_lng is not a number"],
    [{ store_id: "a\0b" }, "store_id", "store_id contains a NUL character"],
    [{ store_id: "a\uD800b" }, "store_id", "store_id contains a lone surrogate"],
    [{ store_id: "\uDC00" }, "store_id", "store_id contains a lone surrogate"],
    [{ visitor_id: "x".repeat(65) }, "visitor_id", "visitor_id has more than 64 characters"],
    [{ session_id: "😀".repeat(65) }, "session_id", "session_id has more than 64 characters"],
    [{ session_id: ["s"] }, "session_id", "session_id is not a text"],
    [{ occurred_at: "yesterday" }, "occurred_at", "occurred_at is not an ISO 8601 date-time"],
    [{ occurred_at: 1700000000000 }, "occurred_at", "occurred_at is not an ISO 8601 date-time"]
  ] as const)("%j becomes null and is reported", (extra, name, loss) => {
    const { fields, losses } = parsed(extra)
    assert.isNull(fields[name])
    assert.deepStrictEqual(losses, [loss])
  })

  it("does not include surrogate pairs", () => {
    assert.deepStrictEqual(parsed({ store_id: "😀" }).losses, [])
  })

  it("loses only the characters that cannot be stored in a required text", () => {
    const { fields, losses } = parsed({ product_id: "a\0b", source: "w\uD800" })
    assert.strictEqual(fields.product_id, "a\uFFFDb")
    assert.strictEqual(fields.source, "w\uFFFD")
    assert.lengthOf(losses, 2)
  })
})
