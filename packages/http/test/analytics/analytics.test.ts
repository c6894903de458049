import { ClickAnalytics, ClickAnalyticsError } from "@clicks/core/analytics/ClickAnalytics"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { many, posting, type TestServer, testServer } from "../TestServer.ts"

const groups = "/api/analytics/product-clicks"
const funnel = "/api/analytics/funnel"

type Fields = Readonly<Record<string, string | number>>

const click = (action: string, fields: Fields = {}) => ({
  product_id: "p-1",
  source: "web",
  action,
  occurred_at: "2026-11-20T10:00:00Z",
  ...fields
})

/** Records clicks as this browser; all tests come from the same address. */
const record = Effect.fnUntraced(function* (
  server: TestServer,
  browser: string,
  ...clicks: ReadonlyArray<Fields>
) {
  const { json } = yield* server.ask(many, posting(clicks, { "User-Agent": browser }))
  assert.propertyVal(json, "stored", clicks.length)
})

const withClicks = Effect.fnUntraced(function* (...given: Parameters<typeof testServer>) {
  const server = yield* testServer(...given)
  yield* record(
    server,
    "firefox",
    click("view", { campaign_id: "spring", visitor_state: "AZ" }),
    click("view", { campaign_id: "spring", product_id: "p-2", occurred_at: "2026-11-21T09:00:00Z" }),
    click("open_product", { campaign_id: "spring" }),
    click("other", { campaign_id: "spring" })
  )
  yield* record(
    server,
    "chrome",
    click("view", { campaign_id: "spring" }),
    click("view", {
      source: "app",
      store_id: "s-1",
      brand_id: "b-1",
      page_type: "home",
      visitor_city: "Mesa"
    })
  )
  return server
})

const asked = Effect.fnUntraced(function* (server: TestServer, path: string) {
  const { json, status } = yield* server.askAdmin(path)
  assert.strictEqual(status, 200, JSON.stringify(json))
  return json
})

const refused = Effect.fnUntraced(function* (server: TestServer, path: string) {
  const { json, status } = yield* server.askAdmin(path)
  assert.strictEqual(status, 400, path)
  assert.hasAllKeys(json, ["error"])
  return json
})

describe("GET /api/analytics/product-clicks", () => {
  it.live("counts all clicks and visitors without group_by", () =>
    Effect.gen(function* () {
      const server = yield* withClicks()
      assert.deepStrictEqual(yield* asked(server, groups), { groups: [{ clicks: 6, visitors: 2 }], total: 1 })
      assert.deepStrictEqual(yield* asked(server, `${groups}?product_id=nothing`), {
        groups: [{ clicks: 0, visitors: 0 }],
        total: 1
      })
    })
  )

  it.live("groups by one field or several, most clicks first", () =>
    Effect.gen(function* () {
      const server = yield* withClicks()
      assert.deepStrictEqual(yield* asked(server, `${groups}?group_by=action`), {
        groups: [
          { action: "view", clicks: 4, visitors: 2 },
          { action: "open_product", clicks: 1, visitors: 1 },
          { action: "other", clicks: 1, visitors: 1 }
        ],
        total: 3
      })
      assert.deepStrictEqual(yield* asked(server, `${groups}?group_by=campaign_id&group_by=source`), {
        groups: [
          { campaign_id: "spring", source: "web", clicks: 5, visitors: 2 },
          { campaign_id: null, source: "app", clicks: 1, visitors: 1 }
        ],
        total: 2
      })
    })
  )

  it.live.each([
    ["action", 3],
    ["product_id", 2],
    ["store_id", 2],
    ["brand_id", 2],
    ["campaign_id", 2],
    ["source", 2],
    ["page_type", 2],
    ["device_type", 1],
    ["visitor_state", 2],
    ["visitor_city", 2]
  ] as const)("groups by %s", ([field, total]) =>
    Effect.gen(function* () {
      const server = yield* withClicks()
      const answer = yield* asked(server, `${groups}?group_by=${field}`)
      assert.propertyVal(answer, "total", total)
    })
  )

  it.live.each([
    ["product_id=p-2", 1],
    ["store_id=s-1", 1],
    ["brand_id=b-1", 1],
    ["campaign_id=spring", 5],
    ["action=view", 4],
    ["action=nonsense", 0],
    ["source=app", 1],
    ["from=2026-11-21", 1],
    ["before=2026-11-20T10:00:00Z", 0],
    ["from=2026-11-20T11:00&before=2026-11-20T11:00:00.001&tz=Europe/Berlin", 5],
    ["to=2026-11-20T10:00:00Z", 5],
    ["from=2026-11-20T10:00:00Z&to=2026-11-20T10:00:00Z&action=view&campaign_id=spring", 2],
    ["campaign_id=&unknown=1", 6]
  ] as const)("counts what %s leaves", ([filter, clicks]) =>
    Effect.gen(function* () {
      const server = yield* withClicks()
      const answer = yield* asked(server, `${groups}?${filter}`)
      assert.nestedPropertyVal(answer, "groups[0].clicks", clicks)
    })
  )

  it.live("groups by time in a time zone, also when its clocks change", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const times = [
        "2026-10-24T21:59:59.999Z",
        "2026-10-24T22:00:00Z",
        "2026-10-25T00:30:00Z",
        "2026-10-25T01:30:00Z",
        "2026-10-25T22:59:59Z",
        "2026-10-25T23:00:00Z"
      ]
      yield* record(server, "firefox", ...times.map((occurred_at) => click("view", { occurred_at })))
      const buckets = Effect.fnUntraced(function* (query: string) {
        const answer = yield* asked(server, `${groups}?${query}`)
        const found = answer as { groups: ReadonlyArray<{ bucket: string; clicks: number }> }
        return found.groups.map(({ bucket, clicks }) => `${bucket} ${clicks}`)
      })
      assert.deepStrictEqual(yield* buckets("interval=day&tz=Europe/Berlin"), [
        "2026-10-23T22:00:00.000Z 1",
        "2026-10-24T22:00:00.000Z 4",
        "2026-10-25T23:00:00.000Z 1"
      ])
      assert.deepStrictEqual(yield* buckets("interval=day"), [
        "2026-10-24T00:00:00.000Z 2",
        "2026-10-25T00:00:00.000Z 4"
      ])
      assert.deepStrictEqual(
        yield* buckets("interval=hour&tz=Europe/Berlin&from=2026-10-25T00:00Z&to=2026-10-25T12:00Z"),
        ["2026-10-25T00:00:00.000Z 1", "2026-10-25T01:00:00.000Z 1"]
      )
      assert.deepStrictEqual(yield* buckets("interval=week&tz=europe/berlin"), [
        "2026-10-18T22:00:00.000Z 5",
        "2026-10-25T23:00:00.000Z 1"
      ])
      assert.deepStrictEqual(yield* buckets("interval=month&tz=Europe/Berlin"), [
        "2026-09-30T22:00:00.000Z 6"
      ])
    })
  )

  it.live("groups by field within buckets; limit does not change the total", () =>
    Effect.gen(function* () {
      const server = yield* withClicks()
      assert.deepStrictEqual(yield* asked(server, `${groups}?interval=day&group_by=action&limit=3`), {
        groups: [
          { bucket: "2026-11-20T00:00:00.000Z", action: "view", clicks: 3, visitors: 2 },
          { bucket: "2026-11-20T00:00:00.000Z", action: "open_product", clicks: 1, visitors: 1 },
          { bucket: "2026-11-20T00:00:00.000Z", action: "other", clicks: 1, visitors: 1 }
        ],
        total: 4
      })
    })
  )

  it.live.each([
    ["group_by=user_id", /^group_by must be one of: action, product_id, /],
    ["group_by=action&group_by=x", /^group_by must be one of: /],
    ["interval=year", /^interval must be one of: hour, day, week, month$/],
    ["interval=day&tz=Mars/Olympus", /^tz must be the name of a time zone/],
    ["tz=%2B01:00", /^tz must be the name of a time zone/],
    ["limit=0", /^limit must be a whole number, from 1 to 10000$/],
    ["limit=10001", /^limit must be/],
    ["from=yesterday", /^from must be an ISO 8601/],
    ["to=x", /^to must be an ISO 8601/],
    ["interval=day&interval=week", /^interval must be given only once$/],
    ["product_id=a&product_id=b", /^product_id must be given only once$/]
  ] as const)("refuses %s with a sentence", ([query, sentence]) =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const { error } = (yield* refused(server, `${groups}?${query}`)) as { error: string }
      assert.match(error, sentence)
    })
  )
})

describe("GET /api/analytics/funnel", () => {
  it.live("counts the steps of each campaign, with rates from the first step and from the one before", () =>
    Effect.gen(function* () {
      const server = yield* withClicks()
      const none = { clicks: 0, visitors: 0 }
      const steps = (view: object, compare: object, open_product: object, open_store: object) => [
        { action: "view", ...view },
        { action: "compare", ...compare },
        { action: "open_product", ...open_product },
        { action: "open_store", ...open_store }
      ]
      const rates = (
        clicks: number | null,
        before: number | null,
        visitors: number | null,
        last: number | null
      ) => ({
        click_rate_from_view: clicks,
        click_rate_from_previous: before,
        visitor_rate_from_view: visitors,
        visitor_rate_from_previous: last
      })
      assert.deepStrictEqual(yield* asked(server, funnel), {
        group_by: "campaign_id",
        groups: [
          {
            campaign_id: "spring",
            steps: steps(
              { clicks: 3, visitors: 2, ...rates(1, null, 1, null) },
              { ...none, ...rates(0, 0, 0, 0) },
              { clicks: 1, visitors: 1, ...rates(1 / 3, null, 1 / 2, null) },
              { ...none, ...rates(0, 0, 0, 0) }
            )
          },
          {
            campaign_id: null,
            steps: steps(
              { clicks: 1, visitors: 1, ...rates(1, null, 1, null) },
              { ...none, ...rates(0, 0, 0, 0) },
              { ...none, ...rates(0, null, 0, null) },
              { ...none, ...rates(0, null, 0, null) }
            )
          }
        ],
        total: 2
      })
    })
  )

  it.live("counts per product, filtered and limited", () =>
    Effect.gen(function* () {
      const server = yield* withClicks()
      const answer = yield* asked(server, `${funnel}?group_by=product_id&campaign_id=spring&limit=1`)
      assert.nestedPropertyVal(answer, "groups[0].product_id", "p-1")
      assert.nestedPropertyVal(answer, "groups[0].steps[0].clicks", 2)
      assert.propertyVal(answer, "total", 2)
      assert.nestedPropertyVal(answer, "groups.length", 1)
    })
  )

  it.live.each([
    ["group_by=store_id", "group_by must be one of: campaign_id, product_id"],
    ["group_by=product_id&group_by=campaign_id", "group_by must be given only once"],
    ["action=view", "action cannot narrow a funnel: its steps are the actions"],
    ["limit=none", "limit must be a whole number, from 1 to 10000"]
  ] as const)("refuses %s with a sentence", ([query, error]) =>
    Effect.gen(function* () {
      const server = yield* testServer()
      assert.deepStrictEqual(yield* refused(server, `${funnel}?${query}`), { error })
    })
  )
})

describe("analytics", () => {
  it.live("requires the role reader or admin", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const reader = { "X-API-Key": yield* server.key("reader") }
      for (const path of [groups, funnel]) {
        assert.strictEqual((yield* server.ask(path, { headers: reader })).status, 200)
        const { json, status } = yield* server.ask(path)
        assert.deepStrictEqual([status, json], [401, { error: "Authentication required" }])
      }
    })
  )

  const failing = (reason: "Unavailable" | "UnknownTimeZone") => {
    const error = Effect.fail(
      new ClickAnalyticsError({ operation: "test", reason, cause: new Error("secret") })
    )
    return Layer.succeed(ClickAnalytics, { groups: () => error, funnel: () => error })
  }

  it.live("returns 500 without internals when the clicks cannot be counted", () =>
    Effect.gen(function* () {
      const server = yield* testServer({ analytics: failing("Unavailable") })
      for (const path of [groups, funnel]) {
        const { json, status } = yield* server.askAdmin(path)
        assert.deepStrictEqual([status, json], [500, { error: "Failed to count product click events" }])
      }
      assert.include(server.log.join("\n"), "secret")
    })
  )

  it.live("returns 400 for a time zone that only the database does not know", () =>
    Effect.gen(function* () {
      const server = yield* testServer({ analytics: failing("UnknownTimeZone") })
      assert.deepStrictEqual(yield* refused(server, `${groups}?interval=day&tz=Europe/Berlin`), {
        error: "tz is a time zone that the database does not know"
      })
    })
  )
})
