import { ClickAnalytics } from "@clicks/core/analytics/ClickAnalytics"
import { ClickAnalyticsError } from "@clicks/core/analytics/ClickAnalyticsError"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { many, posting, type TestServer, testServer } from "../TestServer.ts"

const groups = "/api/analytics/product-clicks"
const funnel = "/api/analytics/funnel"
const visitors = "/api/analytics/visitors"
const cohorts = "/api/analytics/cohorts"
const pairs = "/api/analytics/pairs"
const paths = [groups, funnel, visitors, cohorts, pairs]

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

  it.live("counts visitors by visitor_id where clicks have one, and groups by it and by session_id", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const visit = { visitor_id: "v-1", session_id: "s-1" }
      yield* record(server, "firefox", click("view", visit), click("view", { ...visit, session_id: "s-2" }))
      yield* record(
        server,
        "chrome",
        click("view", visit),
        click("view", { visitor_id: "v-2" }),
        click("view")
      )
      assert.deepStrictEqual(yield* asked(server, groups), { groups: [{ clicks: 5, visitors: 3 }], total: 1 })
      assert.deepStrictEqual(yield* asked(server, `${groups}?group_by=visitor_id`), {
        groups: [
          { visitor_id: "v-1", clicks: 3, visitors: 1 },
          { visitor_id: "v-2", clicks: 1, visitors: 1 },
          { visitor_id: null, clicks: 1, visitors: 1 }
        ],
        total: 3
      })
      assert.deepStrictEqual(yield* asked(server, `${groups}?group_by=session_id&visitor_id=v-1`), {
        groups: [
          { session_id: "s-1", clicks: 2, visitors: 1 },
          { session_id: "s-2", clicks: 1, visitors: 1 }
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
  ] as const)("counts the clicks that match %s", ([filter, clicks]) =>
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
        yield* buckets("interval=hour&tz=Europe/Berlin&from=2026-10-25T00:00Z&to=2026-10-25T01:59Z"),
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

  it.live("returns every bucket for each of the first groups; limit counts groups", () =>
    Effect.gen(function* () {
      const server = yield* withClicks()
      const range = "from=2026-11-20&before=2026-11-22"
      const [friday, saturday] = ["2026-11-20T00:00:00.000Z", "2026-11-21T00:00:00.000Z"]
      assert.deepStrictEqual(
        yield* asked(server, `${groups}?interval=day&group_by=action&limit=2&${range}`),
        {
          groups: [
            { bucket: friday, action: "view", clicks: 3, visitors: 2 },
            { bucket: friday, action: "open_product", clicks: 1, visitors: 1 },
            { bucket: saturday, action: "view", clicks: 1, visitors: 1 },
            { bucket: saturday, action: "open_product", clicks: 0, visitors: 0 }
          ],
          total: 3
        }
      )
    })
  )

  it.live("returns 168 hours of the week in the time zone", () =>
    Effect.gen(function* () {
      const server = yield* withClicks()
      const answer = yield* asked(server, `${groups}?bucket=hour-of-week&tz=Asia/Tokyo&visitors=false`)
      const found = answer as { groups: ReadonlyArray<{ clicks: number }> }
      assert.lengthOf(found.groups, 168)
      assert.deepStrictEqual(found.groups.filter(({ clicks }) => clicks > 0) as ReadonlyArray<unknown>, [
        { weekday: 5, hour: 19, clicks: 5, visitors: null },
        { weekday: 6, hour: 18, clicks: 1, visitors: null }
      ])
    })
  )

  it.live("compares with the period before, with action columns, totals and shares", () =>
    Effect.gen(function* () {
      const server = yield* withClicks()
      const none = { view: 0, open_store: 0, open_product: 0, compare: 0, other: 0 }
      const views = { ...none, view: 1 }
      const before = { ...none, view: 3, open_product: 1, other: 1 }
      const query = "compare=previous&from=2026-11-21&before=2026-11-22&pivot=action&totals=true"
      assert.deepStrictEqual(
        yield* asked(server, `${groups}?group_by=product_id&sort=change&order=asc&${query}`),
        {
          groups: [
            {
              product_id: "p-1",
              clicks: 0,
              visitors: 0,
              actions: none,
              previous: { clicks: 5, visitors: 2, actions: before },
              change: { clicks: -5, visitors: -2, click_rate: -1, visitor_rate: -1 },
              share: 0
            },
            {
              product_id: "p-2",
              clicks: 1,
              visitors: 1,
              actions: views,
              previous: { clicks: 0, visitors: 0, actions: none },
              change: { clicks: 1, visitors: 1, click_rate: null, visitor_rate: null },
              share: 1
            }
          ],
          total: 2,
          totals: {
            clicks: 1,
            visitors: 1,
            actions: views,
            previous: { clicks: 5, visitors: 2, actions: before },
            change: { clicks: -4, visitors: -1, click_rate: -0.8, visitor_rate: -0.5 }
          },
          compared: { from: "2026-11-20T00:00:00.000Z", to: "2026-11-20T23:59:59.999Z" }
        }
      )
    })
  )

  it.live("finds products that were viewed but never opened", () =>
    Effect.gen(function* () {
      const server = yield* withClicks()
      const answer = yield* asked(server, `${groups}?group_by=product_id&without=open_product&sort=view`)
      assert.deepStrictEqual(answer, { groups: [{ product_id: "p-2", clicks: 1, visitors: 1 }], total: 1 })
    })
  )

  it.live.each([
    ["group_by=user_id", /^group_by must be one or two of: action, product_id, /],
    ["group_by=action&group_by=x", /^group_by must be one or two of: /],
    ["group_by=action,source,brand_id", /^group_by takes at most 2 values; it has 3/],
    [
      "compare=previous&from=2026-11-01",
      /^`compare` needs a range with both ends; give `from`, and `before` or `to`$/
    ],
    ["interval=hour&from=2020-01-01&before=2026-01-01", /^The result would have more than 20,000 rows/],
    ["interval=year", /^interval must be one of: hour, day, week, month; it is "year"$/],
    ["interval=day&tz=Mars/Olympus", /^tz must be the name of a time zone/],
    ["tz=%2B01:00", /^tz must be the name of a time zone/],
    ["limit=0", /^limit must be a whole number, from 1 to 10000; it is "0"$/],
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
      const rates = (clicks: number | null, visitors: number | null) => ({
        click_rate_from_view: clicks,
        visitor_rate_from_view: visitors
      })
      const before = (clicks: number | null, visitors: number | null) => ({
        click_rate_from_previous: clicks,
        visitor_rate_from_previous: visitors
      })
      const compare = (clicks: number, share: number) => ({
        action: "compare",
        clicks,
        visitors: clicks,
        ...rates(share, share)
      })
      const spring = {
        steps: [
          { action: "view", clicks: 3, visitors: 2, ...rates(1, 1), ...before(null, null) },
          { action: "open_product", clicks: 1, visitors: 1, ...rates(1 / 3, 1 / 2), ...before(1 / 3, 1 / 2) },
          { action: "open_store", ...none, ...rates(0, 0), ...before(0, 0) }
        ],
        compare: compare(0, 0)
      }
      const unnamed = {
        steps: [
          { action: "view", clicks: 1, visitors: 1, ...rates(1, 1), ...before(null, null) },
          { action: "open_product", ...none, ...rates(0, 0), ...before(0, 0) },
          { action: "open_store", ...none, ...rates(0, 0), ...before(null, null) }
        ],
        compare: compare(0, 0)
      }
      assert.deepStrictEqual(yield* asked(server, funnel), {
        group_by: "campaign_id",
        groups: [
          { campaign_id: "spring", ...spring },
          { campaign_id: null, ...unnamed }
        ],
        total: 2
      })
      yield* record(server, "safari", click("compare", { campaign_id: "autumn" }))
      const answer = yield* asked(
        server,
        `${funnel}?totals=true&compare=previous&from=2026-11-21&before=2026-11-22&limit=1`
      )
      assert.nestedPropertyVal(answer, "groups[0].previous.steps[0].clicks", 2)
      assert.nestedPropertyVal(answer, "totals.previous.compare.clicks", 1)
      assert.nestedPropertyVal(answer, "total", 3)
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
    [
      "group_by=action",
      'group_by must be one of: product_id, store_id, brand_id, campaign_id, source, page_type, device_type, visitor_state, visitor_city, visitor_id, session_id; it is "action"'
    ],
    ["group_by=product_id&group_by=campaign_id", "group_by must be given only once"],
    ["action=view", "A funnel cannot be filtered by action: its steps are the actions"],
    ["limit=none", 'limit must be a whole number, from 1 to 10000; it is "none"']
  ] as const)("refuses %s with a sentence", ([query, error]) =>
    Effect.gen(function* () {
      const server = yield* testServer()
      assert.deepStrictEqual(yield* refused(server, `${funnel}?${query}`), { error })
    })
  )
})

describe("visitors, cohorts and pairs", () => {
  it.live("distinguishes new and returning visitors", () =>
    Effect.gen(function* () {
      const server = yield* withClicks()
      assert.deepStrictEqual(yield* asked(server, `${visitors}?from=2026-11-20&before=2026-11-22`), {
        buckets: [
          { bucket: "2026-11-20T00:00:00.000Z", visitors: 2, new: 2, returning: 0 },
          { bucket: "2026-11-21T00:00:00.000Z", visitors: 1, new: 0, returning: 1 }
        ],
        total: { visitors: 2, new: 2, returning: 0 }
      })
      yield* record(server, "safari", click("view", { occurred_at: "2024-11-20T10:00:00Z" }))
      yield* record(server, "safari", click("view", { occurred_at: "2024-11-25T10:00:00Z" }))
      yield* record(server, "opera", click("view", { occurred_at: "9999-11-20T10:00:00Z" }))
      yield* record(server, "safari", click("view", { occurred_at: "9999-11-20T10:00:00Z" }))
      const answer = yield* asked(server, cohorts)
      assert.deepNestedInclude(answer, {
        "cohorts[0]": { week: "2024-11-18T00:00:00.000Z", visitors: 1, returned: [1, 1] }
      })
      assert.notInclude(JSON.stringify(answer), "9999")
    })
  )

  it.live("pairs products of one visit", () =>
    Effect.gen(function* () {
      const server = yield* withClicks()
      assert.deepStrictEqual(yield* asked(server, pairs), { pairs: [], total: 0, skipped: 0 })
      yield* record(server, "chrome", click("view", { product_id: "p-9" }))
      assert.deepStrictEqual(yield* asked(server, `${pairs}?product_id=p-9&action=view`), {
        pairs: [{ products: ["p-1", "p-9"], visits: 1, visitors: 1 }],
        total: 1,
        skipped: 0
      })
    })
  )
})

describe("analytics", () => {
  it.live("requires the role reader or admin", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const reader = { "X-API-Key": yield* server.key("reader") }
      for (const path of paths) {
        assert.strictEqual((yield* server.ask(path, { headers: reader })).status, 200)
        const { json, status } = yield* server.ask(path)
        assert.deepStrictEqual([status, json], [401, { error: "Authentication required" }])
      }
    })
  )

  const failing = (reason: ClickAnalyticsError["reason"]) => {
    const error = Effect.fail(
      new ClickAnalyticsError({ operation: "test", reason, cause: new Error("secret") })
    )
    const ask = () => error
    return Layer.succeed(ClickAnalytics, {
      groups: ask,
      funnel: ask,
      visitors: ask,
      cohorts: ask,
      pairs: ask
    })
  }

  it.live("returns 500 without internals when the clicks cannot be counted", () =>
    Effect.gen(function* () {
      const server = yield* testServer({ analytics: failing("Unavailable") })
      for (const path of paths) {
        const { json, status } = yield* server.askAdmin(path)
        assert.deepStrictEqual([status, json], [500, { error: "Failed to count product click events" }])
      }
      assert.include(server.log.join("\n"), "secret")
    })
  )

  it.live("returns 503 with the reason while older clicks cannot be counted", () =>
    Effect.gen(function* () {
      const reasons = [
        ["HistoryUnavailable", /^The archive of older clicks/],
        ["TooManyHot", /^More than 100,000 clicks/]
      ] as const
      for (const [reason, sentence] of reasons) {
        const server = yield* testServer({ analytics: failing(reason) })
        for (const path of paths) {
          const { json, status } = yield* server.askAdmin(path)
          assert.strictEqual(status, 503)
          assert.match((json as { readonly error: string }).error, sentence)
        }
      }
    })
  )
})
