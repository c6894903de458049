import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { earlierPeriod, moveLater } from "../../src/analytics/Comparison.ts"
import * as FunnelQuery from "../../src/analytics/funnel/FunnelQuery.ts"
import * as AnalyticsQuery from "../../src/analytics/groups/AnalyticsQuery.ts"
import type { QueryParameters } from "../../src/values/QueryParameters.ts"
import { everything } from "../contract/analytics/arbitraryAnalytics.ts"

const answer = <A>(result: Result.Result<A, { readonly message: string }>): unknown =>
  Result.isFailure(result) ? result.failure.message : result.success

const parse = (parameters: QueryParameters, ...groupBy: ReadonlyArray<string>) =>
  answer(AnalyticsQuery.parse({ ...parameters, group_by: groupBy }))

const parseFunnel = (parameters: QueryParameters) => answer(FunnelQuery.parse(parameters))

const axis = (interval: string, tz: string) => {
  const result = AnalyticsQuery.parse({ interval, tz })
  return Result.isFailure(result) ? result.failure.message : result.success.axis
}

const defaults = { ...everything, limit: 1000 }

describe("AnalyticsQuery.parse", () => {
  it("counts everything, in one group, by default; empty parameters are absent", () => {
    assert.deepStrictEqual(parse({}), defaults)
    assert.deepStrictEqual(
      parse(
        { product_id: "", interval: "", tz: "", limit: "", from: "", compare: "", sort: "", pivot: "" },
        ""
      ),
      defaults
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
      ...defaults,
      filter: { ...equal, from: new Date("2026-01-01T00:00:00Z"), to: new Date("2026-01-02T00:00:00Z") }
    })
    assert.match(String(parse({ from: "yesterday" })), /^from must be an ISO 8601/)
  })

  it("groups by each field and by two in the given order, repeated or with commas, but by none twice", () => {
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
      "visitor_city",
      "visitor_id",
      "session_id"
    ]
    for (const field of fields) assert.deepInclude(parse({}, field), { groupBy: [field] })
    assert.deepInclude(parse({}, "source", "action", "source"), { groupBy: ["source", "action"] })
    assert.deepInclude(parse({}, "source,action"), { groupBy: ["source", "action"] })
    assert.strictEqual(
      parse({}, "source", "action,brand_id"),
      "group_by takes at most 2 values; it has 3: source, action, brand_id"
    )
  })

  it.each(["user_id", "ip_address", "Action", "action;source", "constructor", "1; drop table clicks"])(
    "rejects group_by %j",
    (name) => {
      assert.strictEqual(
        parse({}, "action", name),
        `group_by must be one or two of: action, product_id, store_id, brand_id, campaign_id, source, page_type, device_type, visitor_state, visitor_city, visitor_id, session_id; it contains ${JSON.stringify(name)}`
      )
    }
  )

  it("buckets time in UTC by default; tz without interval makes no buckets", () => {
    assert.deepInclude(parse({ interval: "week" }), { axis: { interval: "week", timeZone: "UTC" } })
    assert.deepStrictEqual(parse({ tz: "Europe/Berlin" }), defaults)
  })

  it("reads hours of the week, and fewer groups by default where each has many rows", () => {
    const axis = { interval: "hour-of-week", timeZone: "Europe/Berlin" }
    assert.deepInclude(parse({ bucket: "hour-of-week", tz: "Europe/Berlin" }), { axis, limit: 20 })
    assert.deepInclude(parse({ interval: "day" }), { limit: 20 })
  })

  it("reads the order, the action columns, totals and visitors", () => {
    const ranking = { sort: "view", descending: false, without: ["open_product", "open_store"] }
    const without = "open_product,open_store"
    assert.deepInclude(parse({ sort: "view", order: "asc", without }, "product_id"), { ranking })
    assert.deepInclude(parse({ sort: "key" }, "product_id"), {
      ranking: { sort: "key", descending: false, without: [] }
    })
    assert.deepInclude(parse({ pivot: "action", totals: "true", visitors: "false" }), {
      pivot: true,
      totals: true,
      visitors: false
    })
  })

  it.each([
    [{ compare: "previous" }, "`compare` needs a range with both ends; give `from`, and `before` or `to`"],
    [
      { compare: "year", before: "2026-01-01" },
      "`compare` needs a range with both ends; give `from`, and `before` or `to`"
    ],
    [
      { compare: "year", from: "2026-01-01", before: "2026-01-01" },
      "`compare` needs a range that is not empty; `from` must be earlier than `before` or `to`"
    ],
    [{ compare: "last" }, 'compare must be one of: previous, year; it is "last"'],
    [
      { interval: "day", bucket: "hour-of-week" },
      "`interval` and `bucket` cannot be combined; give one of them"
    ],
    [{ bucket: "day" }, 'bucket must be one of: hour-of-week; it is "day"'],
    [{ sort: "total" }, "`sort` needs `group_by`; it orders groups"],
    [{ order: "asc" }, "`order` needs `group_by`; it orders groups"],
    [{ without: "view" }, "`without` needs `group_by`; it selects groups"],
    [{ group_by: "source", sort: "change" }, "`sort=change` needs `compare`"],
    [{ group_by: "action", pivot: "action" }, "`pivot` cannot be combined with `group_by=action`"],
    [
      { group_by: "source", without: "view", action: "view" },
      "`without` cannot be combined with the filter `action`"
    ],
    [
      { group_by: "source", without: "open" },
      'without must be one or more of: view, open_store, open_product, compare, other; it contains "open"'
    ],
    [{ totals: "yes" }, 'totals must be one of: true, false; it is "yes"']
  ])("refuses %j", (parameters, sentence) => {
    assert.strictEqual(answer(AnalyticsQuery.parse(parameters)), sentence)
  })

  it.each(["minute", "Day", "days", "1 day", "year"])("interval %j is refused", (interval) => {
    assert.strictEqual(
      parse({ interval }),
      `interval must be one of: hour, day, week, month; it is "${interval}"`
    )
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
      assert.strictEqual(parse({ limit }), `limit must be a whole number, from 1 to 10000; it is "${limit}"`)
    }
  })
})

describe("FunnelQuery.parse", () => {
  it("is per campaign by default", () => {
    const whole = { filter: {}, groupBy: "campaign_id", totals: false, visitors: true, limit: 1000 }
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
        totals: false,
        visitors: true,
        limit: 7
      }
    )
    assert.strictEqual(
      parseFunnel({ action: "view" }),
      "A funnel cannot be filtered by action: its steps are the actions"
    )
  })

  it("rejects invalid parameters", () => {
    assert.strictEqual(
      parseFunnel({ group_by: "action" }),
      'group_by must be one of: product_id, store_id, brand_id, campaign_id, source, page_type, device_type, visitor_state, visitor_city, visitor_id, session_id; it is "action"'
    )
    assert.strictEqual(
      parseFunnel({ limit: "0" }),
      'limit must be a whole number, from 1 to 10000; it is "0"'
    )
    assert.match(String(parseFunnel({ to: "tomorrow" })), /^to must be an ISO 8601/)
  })
})

describe("earlierPeriod", () => {
  const at = (text: string) => new Date(text)

  it.each([
    // 30 days before a November; clocks changed within.
    [
      "2026-10-31T23:00:00Z",
      "2026-11-30T22:59:59.999Z",
      "previous",
      "2026-10-01T22:00:00Z",
      "2026-10-31T22:59:59.999Z"
    ],
    // A day of 25 hours, after one of 24.
    [
      "2026-10-24T22:00:00Z",
      "2026-10-25T22:59:59.999Z",
      "previous",
      "2026-10-23T22:00:00Z",
      "2026-10-24T21:59:59.999Z"
    ],
    // A Monday and the Monday 52 weeks before.
    [
      "2026-11-22T23:00:00Z",
      "2026-11-23T22:59:59.999Z",
      "year",
      "2025-11-23T23:00:00Z",
      "2025-11-24T22:59:59.999Z"
    ]
  ] as const)("of %s to %s, %s, in Berlin", (from, to, comparison, earlierFrom, earlierTo) => {
    const period = earlierPeriod({ from: at(from), to: at(to) }, comparison, "Europe/Berlin")
    assert.deepInclude(period, { from: at(earlierFrom), to: at(earlierTo) })
  })

  it("moves a time to the same time of day, but never out of the range", () => {
    const range = { from: at("2026-10-24T22:00:00Z"), to: at("2026-10-25T22:59:59.999Z") }
    const period = earlierPeriod(range, "previous", "Europe/Berlin")
    const moved = (text: string) => moveLater(at(text), period, range)
    assert.deepStrictEqual(moved("2026-10-24T07:00:00Z"), at("2026-10-25T08:00:00Z"))
    assert.deepStrictEqual(moved("2026-10-23T21:00:00Z"), range.from)
  })
})
