import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { Base64Url } from "effect/encoding"
import { encodeCursor } from "../../src/clicks/ClickCursor.ts"
import * as ClickQuery from "../../src/clicks/ClickQuery.ts"
import type { QueryParameters } from "../../src/values/QueryParameters.ts"

const parse = (parameters: QueryParameters) => {
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

  it("reads every filter without changing its value", () => {
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

  it("ignores unknown parameters", () => {
    assert.deepStrictEqual(parse({ sort: "asc", constructor: "x" }), { filter: {}, limit: 100, offset: 0 })
  })

  it.each(["0", "1001", "-1", "1.5", "ten", "1e2", "0x10", " 5", "٣", "99999999999999999999"])(
    "rejects limit %j",
    (limit) => {
      assert.strictEqual(parse({ limit }), `limit must be a whole number, from 1 to 1000; it is "${limit}"`)
    }
  )

  it.each(["-1", "1.5", "x"])("offset %j is rejected", (offset) => {
    assert.strictEqual(parse({ offset }), `offset must be a whole number, 0 or more; it is "${offset}"`)
  })

  it("accepts the largest exact offset, and names it if a larger one is given", () => {
    const largest = Number.MAX_SAFE_INTEGER
    assert.deepStrictEqual(parse({ offset: `${largest}` }), { filter: {}, limit: 100, offset: largest })
    assert.strictEqual(
      parse({ offset: "9007199254740992" }),
      `offset must be a whole number, from 0 to ${largest}; it is "9007199254740992"`
    )
  })

  it.each(["from", "to"])("%s must be a date", (name) => {
    assert.match(
      String(parse({ [name]: "last week" })),
      new RegExp(`^${name} must be an ISO 8601.*00Z; it is "last week"$`)
    )
    assert.match(String(parse({ [name]: "2026-11-20T10:00:00 02:00" })), /write the \+ of an offset as %2B/)
  })

  it("accepts the cursor of a page", () => {
    const after = {
      occurred_at: new Date("0001-01-01T00:00:00Z"),
      id: "019aa0d2-5c00-7000-8000-5f2b0c9d1e3a"
    }
    assert.deepStrictEqual(parse({ cursor: encodeCursor(after, {}) }), {
      filter: {},
      limit: 100,
      offset: 0,
      after
    })
    assert.match(String(parse({ cursor: encodeCursor(after, {}), offset: "1" })), /cannot be combined/)
  })

  it("rejects cursors that no page returned, even similar ones", () => {
    const cursorOf = (text: string) => Base64Url.encode(text)
    const id = "019aa0d2-5c00-7000-8000-5f2b0c9d1e3a"
    const good = encodeCursor({ occurred_at: new Date(1763632800000), id }, {})
    const millis = (1763632800000).toString(36)
    const digest = Buffer.from(good, "base64url").toString().split(" ").at(-1)
    assert.strictEqual(good, cursorOf(`${millis} ${id} ${digest}`))
    assert.isObject(parse({ cursor: good }))
    for (const cursor of [
      cursorOf(`${millis} ${id}`),
      cursorOf(`${millis} ${id} ${digest} more`),
      cursorOf(`${millis} ${id} ${digest} `),
      cursorOf(`${millis} ${id} `),
      cursorOf(`${millis} ${id} DIGEST`),
      cursorOf(`0${millis} ${id} ${digest}`),
      cursorOf(`-0 ${id} ${digest}`),
      cursorOf(`${millis.toUpperCase()} ${id} ${digest}`),
      `${good}=`,
      `${good}\n`,
      `${good}A`,
      `${good}garbage`,
      ` ${good}`
    ]) {
      assert.match(String(parse({ cursor })), /next_cursor/, JSON.stringify(cursor))
    }
  })

  it("accepts a cursor only with the filter of its page", () => {
    const after = { occurred_at: new Date(1763632800000), id: "019aa0d2-5c00-7000-8000-5f2b0c9d1e3a" }
    const filters: ReadonlyArray<QueryParameters> = [
      {},
      { product_id: "p-1" },
      { product_id: "p-2" },
      { source: "p-1" },
      { product_id: "p-1", source: "web" },
      { from: "2026-11-01" },
      { to: "2026-11-01" },
      { before: "2026-11-01" },
      { from: "2026-11-01", before: "2026-12-01" },
      { from: "2026-11-01", tz: "Europe/Berlin" }
    ]
    for (const [given, parameters] of filters.entries()) {
      const cursor = encodeCursor(after, Result.getOrThrow(ClickQuery.parseFilter(parameters)))
      for (const [asked, others] of filters.entries()) {
        const answer = parse({ ...others, limit: "7", cursor })
        if (given === asked) assert.deepInclude(answer, { after })
        else
          assert.strictEqual(
            answer,
            "`cursor` belongs to another filter; repeat the filters of the request that returned it, or omit `cursor`"
          )
      }
    }
    // The same filter, written differently.
    const november = encodeCursor(after, Result.getOrThrow(ClickQuery.parseFilter(filters[8] ?? {})))
    const berlin = { from: "2026-11-01T01:00", to: "2026-12-01T00:59:59.999", tz: "Europe/Berlin" }
    assert.deepInclude(parse({ ...berlin, cursor: november }), { after })
  })

  it.each(["x", "!!!", "MTIz", "OTk5OTk5OTk5OTk5OTk5OTk5OSB4"])("cursor %s is rejected", (cursor) => {
    assert.match(String(parse({ cursor })), /next_cursor/)
  })
})
