import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { BrowserContext } from "playwright-core"
import { TestBrowser } from "../../../test/browser.ts"
import { busy } from "./Front.ts"
import { bytesByKey, later, record, sent, shop, visit, waiting } from "./Shop.ts"

/** Keeps an event from the script. */
const without = (event: string) => (visitor: BrowserContext) =>
  visitor.addInitScript(
    (event) => addEventListener(event, (it) => it.stopImmediatePropagation(), true),
    event
  )

const link = `<a href="/next" data-click="open_product" data-product="p-link">Next</a>`

layer(TestBrowser.layer, { excludeTestServices: true })("a click", (it) => {
  it.effect("arrives when it leads to another page", () =>
    Effect.gen(function* () {
      const { clicks, products, url } = yield* shop({ "/": { body: link } })
      const page = yield* visit(url, (visitor) => visitor.clock.install())
      yield* Effect.promise(async () => {
        await page.click("a")
        await page.waitForURL("**/next")
      })
      yield* products(1)
      // It is stored once even if the page did not receive the response.
      yield* later(page)
      yield* waiting(page, 0)
      assert.deepStrictEqual(yield* products(1), ["p-link"])
      for (const bytes of bytesByKey(clicks.sent).values()) assert.strictEqual(bytes.size, 1)
    })
  )

  it.effect("arrives when the tab is closed at once, even without storage or keepalive", () =>
    Effect.gen(function* () {
      const { clicks, products, url } = yield* shop({
        "/sandboxed": { headers: () => ({ "content-security-policy": "sandbox allow-scripts" }) }
      })
      const withoutKeepalive = (visitor: BrowserContext) =>
        visitor.addInitScript(() => Reflect.deleteProperty(Request.prototype, "keepalive"))
      const pages = [
        yield* visit(url, without("pagehide")),
        yield* visit(url, without("visibilitychange")),
        yield* visit(`${url}/sandboxed`),
        yield* visit(url, withoutKeepalive)
      ]
      // The first request of each page gets no response, so the second click waits for it.
      const held = Promise.withResolvers<undefined>()
      clicks.state.fault = ({ clicks }) => (clicks.includes("first") ? held.promise : undefined)
      for (const [index, page] of pages.entries()) {
        yield* record(page, `first-${index}`)
        yield* sent(clicks, `first-${index}`)
        yield* record(page, `p-${index}`)
        yield* Effect.promise(async () => {
          const closed = page.waitForEvent("close")
          await page.close({ runBeforeUnload: true })
          await closed
        })
      }
      const second = ["p-0", "p-1", "p-2", "p-3"]
      assert.deepStrictEqual(yield* products(4), second)
      held.resolve(undefined)
      const first = ["first-0", "first-1", "first-2", "first-3"]
      assert.deepStrictEqual(yield* products(8), [...first, ...second])
    })
  )

  it.effect("waits while the browser is offline and is sent when it is online again", () =>
    Effect.gen(function* () {
      const { clicks, products, url } = yield* shop()
      const page = yield* visit(url, (visitor) => visitor.clock.install())
      yield* Effect.promise(() => page.context().setOffline(true))
      yield* record(page, "p-1")
      const more = Array.from({ length: 200 }, (_, n) => `p-${n + 100}`)
      yield* record(page, ...more)
      assert.isEmpty(clicks.sent)
      yield* Effect.promise(async () => {
        // No timer fires any more, so requests are sent only because the browser is online.
        await page.clock.pauseAt(Date.now() + 2_000)
        await page.context().setOffline(false)
      })
      assert.deepStrictEqual(yield* products(201), ["p-1", ...more])
      yield* waiting(page, 0)
      // Four such requests fit into the quota of browsers for a closed page.
      for (const { clicks: batch } of clicks.sent) assert.isBelow(batch.length, 17_000)
    })
  )

  it.effect("is retried with the same bytes after a failure, at growing intervals", () =>
    Effect.gen(function* () {
      const { clicks, products, url } = yield* shop()
      const page = yield* visit(url, (visitor) => visitor.clock.install())
      const dropped = '{"status":"ok","stored":0,"duplicates":0,"spooled":0,"dropped":1,"errors":[]}'
      const faults = [
        busy,
        () => ({ status: 200, body: dropped }),
        () => ({ status: 429, body: "" })
      ] as const
      clicks.state.fault = (sent) => faults[clicks.sent.length % faults.length]?.(sent)
      yield* record(page, "p-1", "p-2")
      yield* Effect.promise(async () => {
        for (let tick = 0; tick < 120; tick++) await page.clock.runFor(5_000)
      })
      yield* waiting(page, 1)
      assert.isAbove(clicks.sent.length, 3)
      assert.isBelow(clicks.sent.length, 40)
      assert.deepStrictEqual(
        Array.from(bytesByKey(clicks.sent).values(), ({ size }) => size),
        [1]
      )
      clicks.state.fault = () => undefined
      yield* later(page)
      assert.deepStrictEqual(yield* products(2), ["p-1", "p-2"])
      yield* waiting(page, 0)
    })
  )

  it.effect("is retried when the service does not respond", () =>
    Effect.gen(function* () {
      const { clicks, products, url } = yield* shop()
      const page = yield* visit(url, async (visitor) => {
        await visitor.clock.install()
        await visitor.addInitScript(() => {
          // On the page's clock, as its other timers.
          AbortSignal.timeout = (milliseconds) => {
            const controller = new AbortController()
            setTimeout(() => controller.abort(), milliseconds)
            return controller.signal
          }
        })
      })
      const held = Promise.withResolvers<undefined>()
      clicks.state.fault = () => held.promise
      yield* record(page, "p-1")
      yield* sent(clicks, "p-1")
      yield* record(page, "p-2")
      yield* Effect.promise(() => page.clock.fastForward(1_001))
      // A batch accepts clicks for a second.
      yield* record(page, "p-3")
      yield* waiting(page, 3)
      clicks.state.fault = () => undefined
      // The request times out after 30 seconds and is retried after at most ten.
      yield* Effect.promise(async () => {
        for (let tick = 0; tick < 8; tick++) await page.clock.runFor(5_000)
      })
      assert.deepStrictEqual(yield* products(3), ["p-1", "p-2", "p-3"])
      held.resolve(undefined)
    })
  )

  it.effect("is dropped with a warning if the service rejects it, and does not delay others", () =>
    Effect.gen(function* () {
      const { clicks, products, url } = yield* shop()
      const warnings: Array<string> = []
      const page = yield* visit(url, async (visitor) => {
        visitor.on("console", (message) => warnings.push(message.text()))
      })
      yield* record(page, "", "p-1")
      yield* products(1)
      // More than the quota of browsers for a closed page.
      yield* record(page, "p".repeat(70_000))
      yield* waiting(page, 0)
      clicks.state.fault = () => ({ status: 400, body: '{"error":"Cannot be read"}' })
      yield* record(page, "p-2")
      yield* waiting(page, 0)
      clicks.state.fault = () => undefined
      yield* record(page, "p-3")
      assert.deepStrictEqual(yield* products(2), ["p-1", "p-3"])
      const text = warnings.join("\n")
      assert.include(text, "product_id is required")
      assert.include(text, "Cannot be read")
    })
  )
})
