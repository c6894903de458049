import { ApiKeys } from "@clicks/core/access/ApiKeys"
import { ClickStore, ClickStoreError } from "@clicks/core/clicks/ClickStore"
import { PortError } from "@clicks/core/values/PortError"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer, Stream } from "effect"
import { LongestWait } from "../../src/requests/endpointRules.ts"
import { click, many, one, posting, type TestServer, testServer } from "../TestServer.ts"

type Event = Readonly<Record<string, unknown>> & { readonly product_id: string }
interface Page {
  readonly events: ReadonlyArray<Event>
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly next_cursor: string | null
}

const list = (server: TestServer, query = "") =>
  server.askAdmin(`${many}?${query}`).pipe(
    Effect.map(({ json, status, text }) => {
      assert.strictEqual(status, 200, text)
      return json as Page
    })
  )

const products = ({ events }: Page) => events.map(({ product_id }) => product_id)

const day = (n: number) => `2026-11-${String(n).padStart(2, "0")}T10:00:00.000Z`

/** p-1 to p-9, each a day later than the one before. */
const nine = Effect.fnUntraced(function* (server: TestServer) {
  const clicks = Array.from({ length: 9 }, (_, n) => ({
    product_id: `p-${n + 1}`,
    action: n % 2 === 0 ? "view" : "compare",
    source: n < 3 ? "web" : "app",
    store_id: n < 6 ? "s-1" : undefined,
    brand_id: n === 4 ? "b-1" : undefined,
    campaign_id: n === 5 ? "c 1&2" : undefined,
    page_type: n < 5 ? "category" : "search",
    visitor_state: n === 8 ? "AZ" : undefined,
    visitor_city: n > 6 ? "São Paulo" : undefined,
    visitor_id: n < 4 ? " v-1 " : 17,
    session_id: `visit ${n % 2}`,
    occurred_at: day(n + 1)
  }))
  yield* server.ask(many, posting(clicks))
})

describe("GET /api/events/product-clicks", () => {
  it.live("returns every stored column, newest first, with the total, limit and offset", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      yield* nine(server)
      const page = yield* list(server)
      assert.deepStrictEqual(Object.keys(page), ["events", "total", "limit", "offset", "next_cursor"])
      assert.deepStrictEqual([page.total, page.limit, page.offset, page.next_cursor], [9, 100, 0, null])
      assert.deepStrictEqual(products(page), ["p-9", "p-8", "p-7", "p-6", "p-5", "p-4", "p-3", "p-2", "p-1"])
      assert.sameMembers(Object.keys(page.events[0] ?? {}), [
        "id",
        "event_type",
        "product_id",
        "action",
        "source",
        "store_id",
        "brand_id",
        "campaign_id",
        "dispensary_name",
        "page_type",
        "url_path",
        "visitor_city",
        "visitor_state",
        "visitor_lat",
        "visitor_lng",
        "visitor_id",
        "session_id",
        "user_id",
        "ip_address",
        "user_agent",
        "device_type",
        "occurred_at",
        "received_at"
      ])
      assert.strictEqual(page.events[0]?.["occurred_at"], day(9))
      assert.match(String(page.events[0]?.["received_at"]), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    })
  )

  it.live("applies each filter, and combines several", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      yield* nine(server)
      const found = (query: string) => Effect.map(list(server, query), products)
      assert.deepStrictEqual(yield* found("product_id=p-3"), ["p-3"])
      assert.deepStrictEqual(yield* found("store_id=s-1&limit=1"), ["p-6"])
      assert.deepStrictEqual(yield* found("brand_id=b-1"), ["p-5"])
      assert.deepStrictEqual(yield* found("campaign_id=c%201%262"), ["p-6"])
      assert.deepStrictEqual(yield* found("campaign_id=c+1%262"), ["p-6"])
      assert.deepStrictEqual(yield* found("action=compare&source=web"), ["p-2"])
      assert.deepStrictEqual(yield* found("visitor_id=v-1"), ["p-4", "p-3", "p-2", "p-1"])
      assert.deepStrictEqual(yield* found("visitor_id=17&session_id=visit+0"), ["p-9", "p-7", "p-5"])
      assert.strictEqual((yield* list(server, "visitor_id=v-1&limit=1")).total, 4)
      assert.deepStrictEqual(yield* found("page_type=category&source=app"), ["p-5", "p-4"])
      assert.deepStrictEqual(yield* found("visitor_state=AZ&device_type=desktop"), ["p-9"])
      assert.deepStrictEqual(yield* found("visitor_city=S%C3%A3o+Paulo"), ["p-9", "p-8"])
      assert.deepStrictEqual(yield* found("device_type=mobile"), [])
      assert.deepStrictEqual(yield* found(`from=${day(8)}`), ["p-9", "p-8"])
      assert.deepStrictEqual(yield* found(`to=${day(2)}`), ["p-2", "p-1"])
      assert.deepStrictEqual(yield* found("from=2026-11-03&to=2026-11-05"), ["p-4", "p-3"])
      assert.deepStrictEqual(yield* found("from=2026-11-03T12:00:00%2B02:00&to=2026-11-03T10:00:00Z"), [
        "p-3"
      ])
      assert.deepStrictEqual(yield* found(`from=${day(8)}&before=${day(9)}`), ["p-8"])
      assert.deepStrictEqual(yield* found(`from=${day(8)}&to=${day(9)}`), ["p-9", "p-8"])
      assert.deepStrictEqual(yield* found("from=2026-11-03T12:00&before=2026-11-03T13:00&tz=Africa/Cairo"), [
        "p-3"
      ])
      assert.deepStrictEqual(yield* found("action=buy"), [])
      assert.deepStrictEqual(yield* found("product_id="), yield* found(""))
      assert.deepStrictEqual(yield* found("colour=red&product_id=p-1"), ["p-1"])
      assert.strictEqual((yield* list(server, "action=view&limit=2&offset=1")).total, 5)
    })
  )

  it.live("pages by limit and offset, and by cursor while clicks arrive", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      yield* nine(server)
      assert.deepStrictEqual(products(yield* list(server, "limit=3&offset=7")), ["p-2", "p-1"])
      assert.deepStrictEqual(products(yield* list(server, "offset=100")), [])
      const first = yield* list(server, "limit=4")
      yield* server.ask(one, posting({ ...click, product_id: "p-new" }))
      const second = yield* list(server, `limit=4&cursor=${first.next_cursor}`)
      assert.deepStrictEqual(products(second), ["p-5", "p-4", "p-3", "p-2"])
      assert.strictEqual(second.total, 10)
      const other = yield* server.askAdmin(`${many}?action=view&cursor=${first.next_cursor}`)
      assert.deepStrictEqual(
        [other.status, other.json],
        [
          400,
          {
            error:
              "`cursor` belongs to another filter; repeat the filters of the request that returned it, or omit `cursor`"
          }
        ]
      )
      const third = yield* list(server, `limit=4&cursor=${second.next_cursor}`)
      assert.deepStrictEqual([products(third), third.next_cursor], [["p-1"], null])
    })
  )

  it.live("returns 400 {error} that names the invalid parameter", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      for (const [query, word] of [
        ["limit=0", /^limit /],
        ["limit=1001", /^limit /],
        ["limit=ten", /^limit /],
        ["limit=-1", /^limit /],
        ["limit=1.5", /^limit /],
        ["offset=-1", /^offset /],
        ["offset=x", /^offset /],
        ["from=yesterday", /^from /],
        ["before=2026-11", /^before must be an ISO 8601 date or date-time.*; it is "2026-11"$/],
        ["tz=Mars", /^tz must be the name of a time zone.*; it is "Mars"$/],
        ["to=2026-02-30", /^to /],
        ["cursor=abc", /^cursor /],
        ["action=view&action=compare", /^action must be given only once/],
        ["limit=1&limit=1", /^limit must be given only once/]
      ] as const) {
        const { json, status } = yield* server.askAdmin(`${many}?${query}`)
        assert.strictEqual(status, 400, query)
        assert.deepStrictEqual(Object.keys(json as object), ["error"])
        assert.match((json as { error: string }).error, word)
      }
    })
  )

  it.live("takes wrongly escaped parameters literally", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      for (const query of [
        "product_id=%zz",
        "product_id=%ff%fe",
        "%=%",
        "product_id=%00",
        "&&=&",
        "product_id=%ED%A0%80"
      ]) {
        assert.strictEqual((yield* list(server, query)).total, 0, query)
      }
    })
  )

  it.live("returns only headers for HEAD", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const { headers, status, text } = yield* server.askAdmin(many, { method: "HEAD" })
      assert.deepStrictEqual([status, text], [200, ""])
      assert.isAbove(Number(headers.get("content-length")), 10)
    })
  )
})

describe("a listing that fails", () => {
  const message = { error: "Failed to fetch product click events" }
  const secret = "password=hunter2"

  it.live("returns 500 with the message of the specification and logs the cause once", () =>
    Effect.gen(function* () {
      const error = new ClickStoreError({
        operation: "list",
        reason: "Unavailable",
        cause: new Error(secret)
      })
      for (const failing of [error, Effect.die(new Error(secret))]) {
        const server = yield* testServer({ store: Layer.mock(ClickStore, { streamPage: () => failing }) })
        const answer = yield* server.askAdmin(many)
        assert.strictEqual(answer.status, 500)
        assert.deepStrictEqual(answer.json, message)
        assert.strictEqual(server.log.length, 1)
        assert.include(server.log[0] ?? "", "ERROR Failed to fetch product click events")
        assert.include(server.log[0] ?? "", secret)
      }
    })
  )

  it.live("returns 500 when the store does not answer", () =>
    Effect.gen(function* () {
      const server = yield* testServer({ store: Layer.mock(ClickStore, { streamPage: () => Effect.never }) })
      const answer = yield* server.askAdmin(many)
      assert.deepStrictEqual([answer.status, answer.json], [500, message])
      assert.include(server.log[0] ?? "", "No result within 50ms")
    }).pipe(Effect.provideService(LongestWait, Duration.millis(50)))
  )

  it.live("returns 503 with the reason while the archive of older clicks is unavailable", () =>
    Effect.gen(function* () {
      const error = new ClickStoreError({
        operation: "list",
        reason: "HistoryUnavailable",
        cause: new Error(secret)
      })
      const store = Layer.mock(ClickStore, { streamPage: () => error, stream: () => Stream.fail(error) })
      const server = yield* testServer({ store })
      for (const path of [many, `${many}/export`]) {
        const { headers, json, status } = yield* server.askAdmin(path)
        assert.deepStrictEqual([status, headers.get("retry-after")], [503, "10"])
        assert.deepStrictEqual(json, {
          error:
            "The archive of older clicks is unavailable. Clicks are recorded, and recent ranges of time can be listed. Try again in 10 seconds"
        })
      }
    })
  )

  it.live("returns 503 if the caller's key cannot be looked up", () =>
    Effect.gen(function* () {
      const keys = Layer.mock(ApiKeys, {
        verify: () => new PortError({ port: "API keys", operation: "verify", cause: new Error(secret) })
      })
      const server = yield* testServer({ keys })
      const answer = yield* server.ask(many, { headers: { Authorization: `Bearer clk_${"A".repeat(43)}` } })
      assert.strictEqual(answer.status, 503)
      assert.notInclude(answer.text, secret)
      assert.strictEqual(server.log.length, 1)
    })
  )
})
