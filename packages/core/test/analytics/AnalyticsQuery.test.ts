import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as AnalyticsQuery from "../../src/analytics/AnalyticsQuery.ts"
import * as Funnel from "../../src/analytics/Funnel.ts"
import type { QueryParameters } from "../../src/values/QueryParameters.ts"

const answer = <A>(result: Result.Result<A, { readonly message: string }>): unknown =>
  Result.isFailure(result) ? result.failure.message : result.success

const parse = (parameters: QueryParameters, ...groupBy: ReadonlyArray<string>) =>
  answer(AnalyticsQuery.parse(parameters, groupBy))

const parseFunnel = (parameters: QueryParameters) => answer(Funnel.parseQuery(parameters))

const axis = (interval: string, tz: string) => {
  const result = AnalyticsQuery.parse({ interval, tz }, [])
  return Result.isFailure(result) ? result.failure.message : result.success.axis
}

describe("AnalyticsQuery.parse", () => {
  it("counts everything, in one group, by default; empty parameters are absent", () => {
    const everything = { filter: {}, groupBy: [], limit: 1000 }
    assert.deepStrictEqual(parse({}), everything)
    assert.deepStrictEqual(
      parse({ product_id: "", interval: "", tz: "", limit: "", from: "" }, ""),
      everything
    )
  })

  it("accepts the listing's filters", () => {
    const equal = {
      product_id: "p",
      store_id: "s",
      brand_id: "b",
      campaign_id: "c",
      action: "x",
      source: "web"
    }
    assert.deepStrictEqual(parse({ ...equal, from: "2026-01-01", to: "2026-01-02" }), {
      filter: { ...equal, from: new Date("2026-01-01T00:00:00Z"), to: new Date("2026-01-02T00:00:00Z") },
      groupBy: [],
      limit: 1000
    })
    assert.match(String(parse({ from: "yesterday" })), /^from must be an ISO 8601/)
  })

  it("groups by each field of the contract and by several in the given order, but by none twice", () => {
    const fields = [
      "action",
      "product_id",
      "store_id",
      "brand_id",
      "campaign_id",
      "source",
      "page_type",
      "device_type",
      "visitor_state",
      "visitor_city"
    ]
    assert.deepInclude(parse({}, ...fields), { groupBy: fields })
    assert.deepInclude(parse({}, "source", "action", "source"), { groupBy: ["source", "action"] })
  })

  it.each(["user_id", "ip_address", "Action", "action,source", "constructor", "1; drop table clicks"])(
    "rejects group_by %j",
    (name) => {
      assert.strictEqual(
        parse({}, "action", name),
        "group_by must be one of: action, product_id, store_id, brand_id, campaign_id, source, page_type, device_type, visitor_state, visitor_city; repeat it to group by several"
      )
    }
  )

  it("buckets time in UTC by default; tz without interval makes no buckets", () => {
    assert.deepInclude(parse({ interval: "week" }), { axis: { interval: "week", timeZone: "UTC" } })
    assert.deepStrictEqual(parse({ tz: "Europe/Berlin" }), { filter: {}, groupBy: [], limit: 1000 })
  })

  it.each(["minute", "Day", "days", "1 day", "year"])("interval %j is refused", (interval) => {
    assert.strictEqual(parse({ interval }), "interval must be one of: hour, day, week, month")
  })

  it.each([
    ["Europe/Berlin", "Europe/Berlin"],
    ["europe/berlin", "Europe/Berlin"],
    ["America/Argentina/Buenos_Aires", "America/Buenos_Aires"],
    ["GMT", "UTC"],
    ["CET", "Europe/Brussels"],
    ["Etc/GMT+5", "Etc/GMT+5"]
  ])("tz %s is %s", (tz, timeZone) => {
    assert.deepStrictEqual(axis("day", tz), { interval: "day", timeZone })
  })

  it.each([
    "Mars/Olympus",
    "+01:00",
    "-03",
    "UTC+1",
    "BST",
    "PST",
    "IST",
    "Europe/Berlin ",
    "Z",
    "local",
    "x".repeat(9999)
  ])("tz %j is refused, also without an interval", (tz) => {
    const sentence = "tz must be the name of a time zone, such as Europe/Berlin or UTC"
    assert.include(String(axis("day", tz)), sentence)
    assert.include(String(parse({ tz })), sentence)
  })

  it("accepts a limit from 1 to 10,000", () => {
    assert.deepInclude(parse({ limit: "1" }), { limit: 1 })
    assert.deepInclude(parse({ limit: "10000" }), { limit: 10_000 })
    for (const limit of ["0", "10001", "-1", "1.5", "ten", "1e3"]) {
      assert.strictEqual(parse({ limit }), "limit must be a whole number, from 1 to 10000")
    }
  })
})

describe("Funnel.parseQuery", () => {
  it("is per campaign by default", () => {
    const whole = { filter: {}, groupBy: "campaign_id", limit: 1000 }
    assert.deepStrictEqual(parseFunnel({}), whole)
    assert.deepStrictEqual(parseFunnel({ group_by: "" }), whole)
    assert.deepStrictEqual(parseFunnel({ group_by: "campaign_id" }), whole)
  })

  it("accepts the listing's filters except action", () => {
    const equal = { product_id: "p", store_id: "s", brand_id: "b", campaign_id: "c", source: "web" }
    assert.deepStrictEqual(
      parseFunnel({ ...equal, from: "2026-01-01", group_by: "product_id", limit: "7" }),
      {
        filter: { ...equal, from: new Date("2026-01-01T00:00:00Z") },
        groupBy: "product_id",
        limit: 7
      }
    )
    assert.strictEqual(
      parseFunnel({ action: "view" }),
      "action cannot narrow a funnel: its steps are the actions"
    )
  })

  it("rejects invalid parameters", () => {
    assert.strictEqual(
      parseFunnel({ group_by: "store_id" }),
      "group_by must be one of: campaign_id, product_id"
    )
    assert.strictEqual(parseFunnel({ limit: "0" }), "limit must be a whole number, from 1 to 10000")
    assert.match(String(parseFunnel({ to: "tomorrow" })), /^to must be an ISO 8601/)
  })
})
