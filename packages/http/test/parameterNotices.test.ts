import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { posting, testServer } from "./TestServer.ts"

const asked = Effect.fnUntraced(function* (...paths: ReadonlyArray<string>) {
  const server = yield* testServer()
  return yield* Effect.forEach(paths, (path) =>
    Effect.map(server.askAdmin(path), ({ headers, status }) => [status, headers.get("click-notice")])
  )
})

describe("the notice of unknown query parameters", () => {
  it.live("names each parameter and a similar known one, on every GET endpoint with parameters", () =>
    Effect.gen(function* () {
      const notice = "Unknown parameter: limt (did you mean limit?)"
      assert.deepStrictEqual(
        yield* asked(
          "/api/events/product-clicks?limt=5",
          "/api/analytics/product-clicks?limt=5",
          "/api/analytics/funnel?limt=5",
          "/api/tasks?limt=5"
        ),
        Array.from({ length: 4 }, () => [200, notice])
      )
      const [frm, format, page, group] = yield* asked(
        "/api/events/product-clicks?frm=2026&colour=red",
        "/api/events/product-clicks/export?fromat=csv",
        "/api/payloads/store/s-1/query?pric_min=1",
        "/api/payloads/store/s-1/aggregate?group_by=brand&serach=x"
      )
      assert.deepStrictEqual(frm, [200, "Unknown parameters: frm (did you mean from?), colour"])
      assert.deepStrictEqual(format, [200, "Unknown parameter: fromat (did you mean format?)"])
      assert.deepStrictEqual(page, [404, "Unknown parameter: pric_min (did you mean price_min?)"])
      assert.deepStrictEqual(group, [404, "Unknown parameter: serach (did you mean search?)"])
    })
  )

  it.live("is absent when every parameter is known", () =>
    Effect.gen(function* () {
      const query = "from=2026-11-01&before=2026-12-01&tz=UTC&limit=1&action="
      assert.deepStrictEqual(
        yield* asked(
          `/api/events/product-clicks?${query}`,
          `/api/analytics/product-clicks?${query}&group_by=action&group_by=source`,
          "/livez?probe=1"
        ),
        Array.from({ length: 3 }, () => [200, null])
      )
    })
  )

  it.live("warns of filters that can match nothing", () =>
    Effect.gen(function* () {
      const unknown = "Unknown action: buy (known actions: view, open_store, open_product, compare, other)"
      const empty = "Empty time range: from is not earlier than to or before"
      for (const path of [
        "/api/events/product-clicks?",
        "/api/events/product-clicks/export?",
        "/api/analytics/product-clicks?"
      ]) {
        const notices = yield* asked(
          `${path}action=buy`,
          `${path}device_type=phone`,
          `${path}from=2026-11-02&to=2026-11-01`,
          `${path}from=2026-11-01&before=2026-11-01`,
          `${path}from=2026-11-01&to=2026-11-01`
        )
        assert.deepStrictEqual(notices, [
          [200, unknown],
          [200, "Unknown device type: phone (known device types: desktop, mobile, tablet)"],
          [200, empty],
          [200, empty],
          [200, null]
        ])
      }
      assert.deepStrictEqual(yield* asked("/api/events/product-clicks?frm=1&action=buy"), [
        [200, `Unknown parameter: frm (did you mean from?); ${unknown}`]
      ])
    })
  )

  it.live("stays short and printable", () =>
    Effect.gen(function* () {
      const names = ["a%0d%0aSet-Cookie:%20x", "gr%C3%B6%C3%9Fe", "%F0%9F%98%80", "__proto__", "constructor"]
      const long = Array.from({ length: 100 }, (_, index) => `${"x".repeat(100)}${index}`)
      const [[, hostile] = [], [, many] = []] = yield* asked(
        `/api/events/product-clicks?${names.map((name) => `${name}=1`).join("&")}`,
        `/api/events/product-clicks?${long.map((name) => `${name}=1`).join("&")}`
      )
      assert.strictEqual(hostile, "Unknown parameters: a??Set-Cookie:?x, gr??e, ?, __proto__, constructor")
      assert.match(String(many), /^Unknown parameters: x{40}\.\.\., .* and 95 more$/)
      assert.isBelow(String(many).length, 400)
    })
  )

  it.live("can be read by pages that may read the response", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const shop = "https://shop.example"
      yield* server.askAdmin("/api/admin/trusted-origins", {
        ...posting({ kind: "domain", value: "shop.example" }),
        method: "POST"
      })
      const path = "/api/events/product-clicks?frm=2026"
      const trusted = yield* server.askAdmin(path, { headers: { Origin: shop } })
      assert.strictEqual(trusted.headers.get("access-control-allow-origin"), shop)
      assert.strictEqual(trusted.headers.get("access-control-expose-headers"), "Click-Notice")
      const other = yield* server.askAdmin(path, { headers: { Origin: "https://other.example" } })
      assert.isNull(other.headers.get("access-control-expose-headers"))
    })
  )
})
