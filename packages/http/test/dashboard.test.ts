import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Sessions } from "@clicks/core/access/Sessions"
import * as SessionsMemory from "@clicks/core/testing/SessionsMemory"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { posting, testServer } from "./TestServer.ts"

const preload = '<link rel="preload" href="/api/session" as="fetch" crossorigin>'
const assets =
  '<link rel="stylesheet" href="/assets/app-1.css"><script defer src="/assets/app-2.js"></script>'
const html = `<!doctype html>\n${assets}\n${preload}\n<title>Clicks</title>`

const folder = mkdtempSync(join(tmpdir(), "clicks-dashboard-"))
for (const ending of ["", ".br", ".gz"]) writeFileSync(join(folder, `index.html${ending}`), html)

// While the database hangs, no session is found.
let hangs = false
const sessions = Layer.effect(
  Sessions,
  Sessions.useSync((known) => ({
    ...known,
    find: (token) => Effect.suspend(() => (hangs ? Effect.never : known.find(token)))
  }))
).pipe(Layer.provide(SessionsMemory.layer))

/** The session in the page. Fails if anything else differs from the file. */
const sessionIn = (page: string): unknown => {
  const [before = "", after = ""] = html.split(preload)
  assert.isTrue(page.startsWith(before) && page.endsWith(after), page)
  const element = page.slice(before.length, -after.length)
  const [, content = ""] =
    /^<script type="application\/json" id="session">([^<]*)<\/script>$/.exec(element) ?? []
  return JSON.parse(content)
}

describe("the page of the dashboard", () => {
  it.live(
    "contains the session of its request, or else requests it; a hanging database does not delay it",
    () =>
      Effect.gen(function* () {
        const server = yield* testServer({ options: { dashboard: folder }, sessions })
        const user_id = `</script><b>$&"'`
        const login = yield* server.ask("/api/session", {
          ...posting({ key: yield* server.key("reader", user_id) }, { "x-clicks-page": "1" })
        })
        const cookie = login.headers.get("set-cookie")?.split(";", 1)[0] ?? ""
        const page = (headers: Record<string, string>) =>
          server.ask("/", { headers: { "accept-encoding": "identity", ...headers } })

        const unknown = yield* page({})
        assert.strictEqual(unknown.text, html)
        assert.strictEqual(unknown.headers.get("cache-control"), "no-cache")
        assert.strictEqual(
          unknown.headers.get("link"),
          "</assets/app-1.css>; rel=preload; as=style, </assets/app-2.js>; rel=preload; as=script"
        )
        const etag = unknown.headers.get("etag") ?? ""
        assert.strictEqual((yield* page({ "if-none-match": etag })).status, 304)

        const known = yield* page({ cookie, "if-none-match": etag })
        assert.strictEqual(known.headers.get("cache-control"), "no-store")
        assert.strictEqual(
          known.headers.get("content-security-policy"),
          unknown.headers.get("content-security-policy")
        )
        assert.deepStrictEqual(sessionIn(known.text), login.json)

        // When a link on another site leads here, the browser omits the cookie.
        assert.strictEqual((yield* page({ "sec-fetch-site": "cross-site" })).text, html)
        const anonymous = { user_id: null, role: null, expires_at: null }
        assert.deepStrictEqual(sessionIn((yield* page({ "sec-fetch-site": "none" })).text), anonymous)

        hangs = true
        assert.strictEqual((yield* page({ cookie })).text, html)
      }).pipe(Effect.ensuring(Effect.sync(() => (hangs = false))))
  )
})
