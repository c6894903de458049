import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { BrowserContext, Page } from "playwright-core"
import { TestBrowser } from "../../../test/browser.ts"
import { record, shop, visit } from "./Shop.ts"

const signal = (name: string, value: unknown) => (visitor: BrowserContext) =>
  visitor.addInitScript(
    ([name, value]) => Object.defineProperty(Navigator.prototype, name, { get: () => value }),
    [name, value] as const
  )

const consent = (page: Page) => Effect.promise(() => page.evaluate(() => window.clicks?.consent(true)))
const off = (page: Page) => Effect.promise(() => page.evaluate(() => window.clicks?.off()))

/** All data that the page has stored in the browser. */
const kept = (page: Page) =>
  Effect.promise(async () => ({
    storage: await page.evaluate(() =>
      Object.fromEntries([localStorage, sessionStorage].flatMap((storage) => Object.entries(storage)))
    ),
    cookies: await page.context().cookies()
  }))

layer(TestBrowser.layer, { excludeTestServices: true })("a visitor", (it) => {
  it.effect.each([
    ["globalPrivacyControl", true],
    ["doNotTrack", "1"]
  ])("who sets %s is not recorded without consent", ([name, value]) =>
    Effect.gen(function* () {
      const { clicks, products, url } = yield* shop()
      const page = yield* visit(url, signal(name as string, value))
      yield* record(page, "p-refused")
      assert.deepStrictEqual(yield* kept(page), { storage: {}, cookies: [] })
      yield* consent(page)
      yield* record(page, "p-allowed")
      assert.deepStrictEqual(yield* products(1), ["p-allowed"])
      assert.lengthOf(clicks.sent, 1)
    })
  )

  it.effect("is asked for consent with data-consent, and clicks wait in memory until then", () =>
    Effect.gen(function* () {
      const { products, stored, url } = yield* shop({
        "/": { script: 'data-consent="ask" data-source="app"' }
      })
      const page = yield* visit(url)
      yield* record(page, "p-1", "p-2")
      assert.deepStrictEqual(yield* kept(page), { storage: {}, cookies: [] })
      yield* consent(page)
      assert.deepStrictEqual(yield* products(2), ["p-1", "p-2"])
      for (const event of yield* stored) {
        assert.strictEqual(event.source, "app")
        assert.isString(event.visitor_id)
      }
      assert.isEmpty((yield* kept(page)).cookies)
    })
  )

  it.effect("is forgotten after clicks.off(), also on later pages", () =>
    Effect.gen(function* () {
      const { clicks, products, url } = yield* shop()
      const page = yield* visit(url)
      yield* record(page, "p-1")
      yield* products(1)
      clicks.state.fault = () => "break"
      yield* record(page, "p-unsent")
      yield* off(page)
      yield* record(page, "p-off")
      yield* Effect.promise(() => page.reload())
      clicks.state.fault = () => undefined
      yield* record(page, "p-off")
      assert.deepStrictEqual((yield* kept(page)).storage, { "clicks.id": "off" })
      yield* consent(page)
      yield* record(page, "p-2")
      assert.deepStrictEqual(yield* products(2), ["p-1", "p-2"])
    })
  )

  it.effect("is recorded under a strict Content Security Policy with Subresource Integrity", () =>
    Effect.gen(function* () {
      const policy = (clicks: string) => ({
        "content-security-policy": `default-src 'none'; script-src ${clicks}; connect-src ${clicks}; require-trusted-types-for 'script'`,
        "cross-origin-embedder-policy": "require-corp"
      })
      const script = 'integrity="INTEGRITY" crossorigin="anonymous"'
      const { products, url } = yield* shop({ "/": { script, headers: policy } })
      const errors: Array<string> = []
      const page = yield* visit(url, async (visitor) => {
        visitor.on("console", (message) => errors.push(message.text()))
      })
      yield* record(page, "p-1")
      assert.deepStrictEqual(yield* products(1), ["p-1"])
      assert.isEmpty(errors)
    })
  )
})
