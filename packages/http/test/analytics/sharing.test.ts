import { createHash } from "node:crypto"
import { LinkSecret } from "@clicks/core/clicks/links/LinkSecret"
import { sign } from "@clicks/core/values/SignedText"
import { hmac } from "@clicks/core/values/WebCrypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Schema } from "effect"
import { adminKey, many, posting, type TestServer, testServer } from "../TestServer.ts"

const shares = "/api/shares"
const groups = "/api/analytics/product-clicks"

const click = (campaign_id: string, occurred_at: string) => ({
  product_id: "p-1",
  action: "view",
  source: "web",
  campaign_id,
  occurred_at
})

const clicks = [
  click("spring", "2026-11-19T10:00:00Z"),
  click("spring", "2026-11-20T10:00:00Z"),
  click("spring", "2026-11-20T11:00:00Z"),
  click("loyalty", "2026-11-20T10:00:00Z")
]

const Created = Schema.Struct({ path: Schema.String, token: Schema.String, expires_at: Schema.String })

const share = Effect.fnUntraced(function* (server: TestServer, key: string, body: object) {
  const post = posting(body)
  const asked = { ...post, headers: { ...post.headers, authorization: `Bearer ${key}` } }
  return yield* server.ask(shares, asked)
})

const withShare = Effect.fnUntraced(function* (body: object) {
  const server = yield* testServer()
  yield* server.ask(many, posting(clicks))
  const key = yield* server.key("reader", "anna")
  const { json, text } = yield* share(server, key, body)
  assert(Schema.is(Created)(json), text)
  const read = (path: string, token = json.token) =>
    server.ask(path, { headers: { "x-clicks-share": token } })
  const count = (query: string) =>
    Effect.map(
      read(`${groups}?${query}`),
      ({ json }) => Schema.decodeUnknownSync(Groups)(json).groups[0]?.clicks
    )
  return { server, created: json, read, count }
})

const Groups = Schema.Struct({ groups: Schema.Array(Schema.Struct({ clicks: Schema.Number })) })

describe("a share link", () => {
  it.live("reads analytics with its filter, whatever the request's parameters are", () =>
    Effect.gen(function* () {
      const { count } = yield* withShare({ filter: { campaign_id: "spring" } })
      assert.strictEqual(yield* count(""), 3)
      assert.strictEqual(yield* count("campaign_id=loyalty"), 3)
      assert.strictEqual(yield* count("campaign_id=loyalty&campaign_id=spring"), 3)
      assert.strictEqual(yield* count("from=2026-11-20T10:30:00Z"), 1)
    })
  )

  it.live("keeps to a range that is part of it", () =>
    Effect.gen(function* () {
      const day = { from: "2026-11-20", before: "2026-11-21", tz: "UTC" }
      const { count, read } = yield* withShare({ filter: { campaign_id: "spring", ...day } })
      assert.strictEqual(yield* count("from=2026-11-01"), 2)
      assert.strictEqual(yield* count("to=2026-11-20T10:30:00Z"), 2)
      const { json, status } = yield* read(`${groups}?compare=previous`)
      assert.strictEqual(status, 200)
      assert.notNestedProperty(json, "groups[0].previous")
    })
  )

  it.live("reads nothing else, and changes nothing", () =>
    Effect.gen(function* () {
      const { read, server, created } = yield* withShare({})
      for (const path of [many, "/api/tasks", "/metrics", "/api/admin/trusted-origins"])
        assert.strictEqual((yield* read(path)).status, 401, path)
      for (const path of ["visitors", "cohorts", "pairs"])
        assert.strictEqual((yield* read(`/api/analytics/${path}`)).status, 401, path)
      for (const fields of [
        "group_by=visitor_id",
        "group_by=action,%20session_id",
        "group_by=action&group_by=visitor_id",
        "visitor_id=v-1",
        "group_by=action&session_id=s-1"
      ])
        assert.strictEqual((yield* read(`${groups}?${fields}`)).status, 403, fields)
      const again = yield* share(server, created.token, {})
      assert.strictEqual(again.status, 401)
    })
  )

  it.live("is rejected if it was changed or its key is revoked", () =>
    Effect.gen(function* () {
      const { created, read, server } = yield* withShare({ days: 1 })
      const [, signature = ""] = created.token.split(".")
      const forged = Buffer.from(
        JSON.stringify({ filter: {}, key: "k", expires_at: "2099-01-01T00:00:00.000Z" })
      )
      const { status, text } = yield* read(groups, `${forged.toString("base64url")}.${signature}`)
      assert.strictEqual(status, 401)
      assert.include(text, "Ask its sender for a new one")
      assert.approximately(Date.parse(created.expires_at), Date.now() + 86_400_000, 60_000)
      assert.strictEqual((yield* read(groups)).status, 200)
      const [key] = yield* server.keys.list
      yield* server.keys.revoke(key?.id ?? "")
      assert.strictEqual((yield* read(groups)).status, 401)
    })
  )

  it.live("ends with the configured admin key, and does not reveal it", () =>
    Effect.gen(function* () {
      const links = Layer.succeed(LinkSecret, { get: Effect.succeed(new Uint8Array(32)) })
      const server = yield* testServer({ links })
      const { json, text } = yield* share(server, adminKey, {})
      assert(Schema.is(Created)(json), text)
      const content = Buffer.from(json.token.split(".")[0] ?? "", "base64url").toString()
      assert.notInclude(content, createHash("sha256").update(adminKey).digest("hex"))
      const asked = { headers: { "x-clicks-share": json.token } }
      assert.strictEqual((yield* server.ask(groups, asked)).status, 200)
      const other = yield* testServer({ links, options: { adminKey: Redacted.make("another-admin-key") } })
      assert.strictEqual((yield* other.ask(groups, asked)).status, 401)
    })
  )

  it.live("is rejected after it has expired", () =>
    Effect.gen(function* () {
      const secret = new Uint8Array(32)
      const server = yield* testServer({ links: Layer.succeed(LinkSecret, { get: Effect.succeed(secret) }) })
      yield* server.key("reader", "anna")
      const [key] = yield* server.keys.list
      const until = Effect.fnUntraced(function* (millis: number) {
        const share = { filter: {}, key: key?.id, expires_at: new Date(Date.now() + millis) }
        const token = yield* Effect.promise(async () => sign(JSON.stringify(share), await hmac(secret)))
        return (yield* server.ask(groups, { headers: { "x-clicks-share": token } })).status
      })
      assert.strictEqual(yield* until(60_000), 200)
      assert.strictEqual(yield* until(-1), 401)
    })
  )

  it.live("can be created only with a key, and with valid filters and times", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const key = yield* server.key("reader", "anna")
      assert.strictEqual((yield* server.ask(shares, posting({}))).status, 401)
      const wrong = [
        "campain_id=x",
        "constructor=x",
        "campaign_id=",
        "tz=UTC",
        "from=2026-11-20",
        "to=2026-11-20",
        "visitor_id=v-1",
        "session_id=s-1"
      ].map((pair) => ({ filter: Object.fromEntries([pair.split("=")]) }))
      for (const body of [
        ...wrong,
        { filters: {} },
        { filter: { campaign_id: "é".repeat(1500) } },
        { days: 0 },
        { days: 367 },
        { filter: { from: "never" } },
        { filter: { from: "2026-11-20T00:00:00Z", before: "2026-11-21" } },
        { filter: { from: "2026-11-21", before: "2026-11-20" } },
        { filter: "spring" },
        { filter: { campain_id: "spring" } }
      ])
        assert.strictEqual((yield* share(server, key, body)).status, 400, JSON.stringify(body))
    })
  )
})
