import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { ClickStore, ClickStoreError } from "@clicks/core/clicks/ClickStore"
import * as ClickLink from "@clicks/core/clicks/links/ClickLink"
import { LinkSecret } from "@clicks/core/clicks/links/LinkSecret"
import { PortError } from "@clicks/core/values/PortError"
import { hmac } from "@clicks/core/values/WebCrypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { type TestServer, testServer } from "../TestServer.ts"

const secret = new Uint8Array(32).fill(7)
const links = Layer.succeed(LinkSecret, { get: Effect.succeed(secret) })

const link: ClickLink.ClickLink = {
  to: "https://shop.example/käse?x=1",
  product_id: "p-1",
  action: "open_product",
  source: "newsletter",
  campaign_id: "spring-sale"
}

const tokenOf = (of: ClickLink.ClickLink, by = secret) =>
  Effect.promise(async () => {
    const token = await ClickLink.toToken(Result.getOrThrow(ClickLink.parse(of)), await hmac(by))
    return Result.getOrThrow(token)
  })

const follow = (server: TestServer, token: string, init: RequestInit = {}) =>
  Effect.promise(() => fetch(`${server.url}/r/${token}`, { redirect: "manual", ...init }))

const away = new ClickStoreError({ operation: "insert", reason: "Refused", cause: "away" })
const brokenStore = Layer.mock(ClickStore, { insert: () => Effect.fail(away) })

describe("GET /r/<token>", () => {
  it.live("records the click of the link before it redirects", () =>
    Effect.gen(function* () {
      const server = yield* testServer({ links })
      const token = yield* tokenOf(link)
      const response = yield* follow(server, token, { headers: { "user-agent": "Mozilla/5.0 (iPhone)" } })
      const { headers } = response
      assert.deepStrictEqual(
        [
          response.status,
          headers.get("location"),
          headers.get("cache-control"),
          headers.get("referrer-policy")
        ],
        [302, "https://shop.example/k%C3%A4se?x=1", "no-store", "strict-origin-when-cross-origin"]
      )
      const [stored] = yield* server.stored
      const { to: _, ...fields } = link
      assert.deepInclude(stored, {
        ...fields,
        id: headers.get("click-id"),
        device_type: "mobile"
      } as ClickEvent)
      assert.strictEqual(headers.get("click-receipt"), "stored")
      const long = { ...link, to: `https://shop.example/${"x".repeat(1_000)}` }
      assert.strictEqual((yield* follow(server, yield* tokenOf(long))).status, 302)
    })
  )

  it.live("redirects a prefetch and records nothing", () =>
    Effect.gen(function* () {
      const server = yield* testServer({ links })
      const token = yield* tokenOf(link)
      for (const init of [
        { method: "HEAD" },
        { headers: { "Sec-Purpose": "prefetch;prerender" } },
        { headers: { Purpose: "prefetch" } }
      ]) {
        const { headers, status } = yield* follow(server, token, init)
        assert.deepStrictEqual([status, headers.get("click-receipt")], [302, null])
      }
      assert.deepStrictEqual(yield* server.stored, [])
    })
  )

  it.live("returns 404 for a token that was changed, cut off or signed with another secret", () =>
    Effect.gen(function* () {
      const server = yield* testServer({ links })
      const token = yield* tokenOf(link)
      const [text = "", signature = ""] = token.split(".")
      const evil = Buffer.from(JSON.stringify({ ...link, to: "https://evil.example/" })).toString("base64url")
      const other = yield* tokenOf(link, new Uint8Array(32).fill(8))
      const last = signature.at(-1) === "A" ? "B" : "A"
      const script = yield* Effect.promise(async () =>
        ClickLink.toToken({ ...link, to: "javascript:alert(1)" }, await hmac(secret))
      )
      for (const wrong of [
        `${evil}.${signature}`,
        other,
        text,
        `${text}.`,
        token.slice(0, -1),
        `${token.slice(0, -1)}${last}`,
        `${token}=`,
        `${token}.x`,
        "x",
        "%ff",
        "x/y",
        "",
        "x".repeat(5_000),
        Result.getOrThrow(script)
      ]) {
        const response = yield* follow(server, wrong)
        const page = yield* Effect.promise(() => response.text())
        assert.deepStrictEqual([response.status, response.headers.get("location")], [404, null], wrong)
        assert.include(page, "<h1>This link is not valid</h1>")
      }
      assert.deepStrictEqual(yield* server.stored, [])
    })
  )

  it.live("redirects even if the click cannot be recorded", () =>
    Effect.gen(function* () {
      const server = yield* testServer({ links, store: brokenStore })
      const { headers, status } = yield* follow(server, yield* tokenOf(link))
      assert.deepStrictEqual([status, headers.get("click-receipt")], [302, "dropped"])
      const metrics = yield* server.askAdmin("/metrics")
      assert.match(metrics.text, /clicks_recorded_total\{receipt="dropped"\} [1-9]/)
    })
  )

  it.live("returns 503 until the secret has been read once, and keeps the secret", () =>
    Effect.gen(function* () {
      let reads = 0
      let isAway = true
      const error = new PortError({ port: "link secret", operation: "get", cause: "away" })
      const get = Effect.suspend(() => {
        reads++
        return isAway ? error : Effect.succeed(secret)
      })
      const server = yield* testServer({ links: Layer.succeed(LinkSecret, { get }) })
      const token = yield* tokenOf(link)
      const refused = yield* follow(server, token)
      assert.deepStrictEqual([refused.status, refused.headers.get("retry-after")], [503, "10"])
      isAway = false
      while ((yield* follow(server, token)).status !== 302) {}
      isAway = true
      const before = reads
      assert.strictEqual((yield* follow(server, token)).status, 302)
      assert.strictEqual(reads, before)
    })
  )
})
