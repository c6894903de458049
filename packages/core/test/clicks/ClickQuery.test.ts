import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { Base64Url } from "effect/encoding"
import * as ClickQuery from "../../src/clicks/ClickQuery.ts"
import type { ClickQueryParameters } from "../../src/clicks/ClickQueryParameters.ts"

const parse = (parameters: ClickQueryParameters) => {
  const result = ClickQuery.parse(parameters)
  return Result.isFailure(result) ? result.failure.message : result.success
}

describe("ClickQuery.parse", () => {
  it("has a limit of 100 and an offset of 0 by default; empty parameters are absent", () => {
    const nothing = { filter: {}, limit: 100, offset: 0 }
    assert.deepStrictEqual(parse({}), nothing)
    const empty = ["product_id", "action", "from", "to", "limit", "offset", "cursor"]
    assert.deepStrictEqual(parse(Object.fromEntries(empty.map((name) => [name, ""]))), nothing)
  })

  it("reads every filter, and leaves values as they are", () => {
    const filter = {
      product_id: " p ",
      store_id: "s",
      brand_id: "b",
      campaign_id: "c",
      action: "nonsense",
      source: "0"
    }
    assert.deepStrictEqual(
      parse({ ...filter, from: "2026-01-01", to: "2026-01-02T03:04:05+01:00", limit: "7", offset: "8" }),
      {
        filter: { ...filter, from: new Date("2026-01-01T00:00:00Z"), to: new Date("2026-01-02T02:04:05Z") },
        limit: 7,
        offset: 8
      }
    )
  })

  it("ignores what it does not know", () => {
    assert.deepStrictEqual(parse({ sort: "asc", constructor: "x" }), { filter: {}, limit: 100, offset: 0 })
  })

  it.each(["0", "1001", "-1", "1.5", "ten", "1e2", "0x10", " 5", "٣", "99999999999999999999"])(
    "limit %j is refused",
    (limit) => {
      assert.strictEqual(parse({ limit }), "limit must be a whole number, from 1 to 1000")
    }
  )

  it.each(["-1", "1.5", "x", "99999999999999999999"])("offset %j is refused", (offset) => {
    assert.strictEqual(parse({ offset }), "offset must be a whole number, 0 or more")
  })

  it.each(["from", "to"])("%s must be a date", (name) => {
    assert.match(
      String(parse({ [name]: "last week" })),
      new RegExp(`^${name} must be an ISO 8601.*00Z; it is "last week"$`)
    )
    assert.match(String(parse({ [name]: "2026-11-20T10:00:00 02:00" })), /write the \+ of an offset as %2B/)
  })

  it("takes back the cursor that a page gave", () => {
    const after = {
      occurred_at: new Date("0001-01-01T00:00:00Z"),
      id: "019aa0d2-5c00-7000-8000-5f2b0c9d1e3a"
    }
    assert.deepStrictEqual(parse({ cursor: ClickQuery.encodeCursor(after) }), {
      filter: {},
      limit: 100,
      offset: 0,
      after
    })
    assert.match(String(parse({ cursor: ClickQuery.encodeCursor(after), offset: "1" })), /exclude each other/)
  })

  it("takes no cursor that no page gave, however near it comes", () => {
    const cursorOf = (text: string) => Base64Url.encode(text)
    const id = "019aa0d2-5c00-7000-8000-5f2b0c9d1e3a"
    const good = cursorOf(`1763632800000 ${id}`)
    assert.isObject(parse({ cursor: good }))
    for (const cursor of [
      cursorOf(`1763632800000 ${id} more`),
      cursorOf(`1763632800000 ${id} `),
      cursorOf(`01763632800000 ${id}`),
      cursorOf(`-0 ${id}`),
      `${good}=`,
      `${good}\n`,
      `${good}A`,
      `${good}garbage`,
      ` ${good}`
    ]) {
      assert.match(String(parse({ cursor })), /next_cursor/, JSON.stringify(cursor))
    }
  })

  it.each(["x", "!!!", "MTIz", "OTk5OTk5OTk5OTk5OTk5OTk5OSB4"])("cursor %s is refused", (cursor) => {
    assert.match(String(parse({ cursor })), /next_cursor/)
  })
})
