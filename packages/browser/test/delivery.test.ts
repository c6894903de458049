import { assert, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import type { BrowserContext, Page } from "playwright-core"
import { TestBrowser } from "../../../test/browser.ts"
import { busy, type Sent } from "./Front.ts"
import { openTab, record, shop, visit, waiting } from "./Shop.ts"

/** Shows the page as after six seconds, so that it adopts what other pages left, and forgets its backoff. */
const later = (page: Page) =>
  Effect.promise(async () => {
    await page.clock.fastForward(6_000)
    await page.evaluate(() => dispatchEvent(new Event("online")))
  })

/** The bytes that were sent under each key. */
const bytesByKey = (sent: ReadonlyArray<Sent>) => {
  const found = new Map<string, Set<string>>()
  for (const { clicks, key } of sent) found.set(key, (found.get(key) ?? new Set()).add(clicks))
  return found
}

/** Waits until a click on the product has been sent. */
const sent = (clicks: { readonly sent: ReadonlyArray<Sent> }, product: string) =>
  Effect.sync(() => clicks.sent.some(({ clicks }) => clicks.includes(product))).pipe(
    Effect.repeat({ schedule: Schedule.spaced("20 millis"), until: (isSent) => isSent })
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
      // Whether its answer was seen or not, it is stored once.
      yield* later(page)
      yield* waiting(page, 0)
      assert.deepStrictEqual(yield* products(1), ["p-link"])
      for (const bytes of bytesByKey(clicks.sent).values()) assert.strictEqual(bytes.size, 1)
    })
  )

  it.effect("arrives when the tab is closed at once, also without storage or keepalive", () =>
    Effect.gen(function* () {
      const { clicks, products, url } = yield* shop({
        "/sandboxed": { headers: () => ({ "content-security-policy": "sandbox allow-scripts" }) }
      })
      const withoutKeepalive = (visitor: BrowserContext) =>
        visitor.addInitScript(() => Reflect.deleteProperty(Request.prototype, "keepalive"))
      const pages = [yield* visit(url), yield* visit(`${url}/sandboxed`), yield* visit(url, withoutKeepalive)]
      // The first request of each page is not answered, so that the second click waits for it.
      const held = Promise.withResolvers<undefined>()
      clicks.state.fault = ({ clicks }) => (clicks.includes("first") ? held.promise : undefined)
      for (const [index, page] of pages.entries()) {
        yield* record(page, `first-${index}`)
        yield* sent(clicks, `first-${index}`)
        yield* record(page, `p-${index}`)
        yield* Effect.promise(() => page.close({ runBeforeUnload: true }))
      }
      assert.deepStrictEqual(yield* products(3), ["p-0", "p-1", "p-2"])
      held.resolve(undefined)
    })
  )

  it.effect("waits while the browser is offline, and is sent when it is online", () =>
    Effect.gen(function* () {
      const { clicks, products, url } = yield* shop()
      const page = yield* visit(url, (visitor) => visitor.clock.install())
      yield* Effect.promise(() => page.context().setOffline(true))
      yield* record(page, "p-1")
      yield* record(page, "p-2", "p-3")
      assert.isEmpty(clicks.sent)
      yield* Effect.promise(async () => {
        // No timer fires any more: what is sent now is sent because the browser is online.
        await page.clock.pauseAt(Date.now() + 2_000)
        await page.context().setOffline(false)
      })
      assert.deepStrictEqual(yield* products(3), ["p-1", "p-2", "p-3"])
      yield* waiting(page, 0)
    })
  )

  it.effect("is sent again with the same bytes after a failure, less and less often", () =>
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

  it.effect("that the service refuses is given up with a warning, and holds up no other", () =>
    Effect.gen(function* () {
      const { clicks, products, url } = yield* shop()
      const warnings: Array<string> = []
      const page = yield* visit(url, async (visitor) => {
        visitor.on("console", (message) => warnings.push(message.text()))
      })
      yield* record(page, "", "p-1")
      yield* products(1)
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

  it.effect("outlives the death of its page between writing and sending", () =>
    Effect.gen(function* () {
      const { clicks, products, url } = yield* shop()
      const page = yield* visit("about:blank")
      // Its timers never fire, so nothing is sent.
      const doomed = yield* openTab(page, url, (tab) =>
        tab.addInitScript(() => Object.assign(window, { setInterval: () => 0, setTimeout: () => 0 }))
      )
      yield* record(doomed, "p-1")
      yield* Effect.promise(async () => {
        const died = doomed.waitForEvent("crash")
        const session = await page.context().newCDPSession(doomed)
        session.send("Page.crash").catch(() => {})
        await died
        await doomed.close()
        await page.clock.install({ time: Date.now() + 10_000 })
      })
      assert.isEmpty(clicks.sent)
      yield* Effect.promise(() => page.goto(url))
      assert.deepStrictEqual(yield* products(1), ["p-1"])
      yield* waiting(page, 0)
    })
  )

  it.effect("is stored once when two tabs send what each other left", () =>
    Effect.gen(function* () {
      const { clicks, products, url } = yield* shop()
      const first = yield* visit(url, (visitor) => visitor.clock.install())
      const second = yield* openTab(first, url)
      clicks.state.fault = busy
      yield* record(first, "p-1", "p-2")
      yield* record(second, "p-3", "p-4")
      yield* waiting(first, 2)
      clicks.state.fault = () => undefined
      yield* Effect.all([later(first), later(second)], { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* products(4), ["p-1", "p-2", "p-3", "p-4"])
      yield* waiting(second, 0)
      for (const bytes of bytesByKey(clicks.sent).values()) assert.strictEqual(bytes.size, 1)
      assert.lengthOf(yield* products(4), 4)
    })
  )

  it.effect("has the right time if the clock of the browser is wrong, also when it is sent later", () =>
    Effect.gen(function* () {
      const { clicks, products, stored, url } = yield* shop()
      const begin = Date.now()
      const page = yield* visit(url, (visitor) => visitor.clock.install({ time: begin - 3_600_000 }))
      clicks.state.fault = busy
      yield* record(page, "p-1")
      yield* waiting(page, 1)
      yield* Effect.promise(() => page.clock.fastForward(600_000))
      clicks.state.fault = () => undefined
      yield* later(page)
      yield* products(1)
      const [event] = yield* stored
      // The ten minutes that it waited passed on the page's clock alone.
      const offset = (event?.occurred_at.getTime() ?? 0) + 606_000 - Date.now()
      assert.isBelow(Math.abs(offset), 120_000)
      assert.isBelow(event?.client_occurred_at?.getTime() ?? begin, begin - 3_000_000)
    })
  )

  it.effect("is kept in memory when the storage is full", () =>
    Effect.gen(function* () {
      const { clicks, products, url } = yield* shop()
      const page = yield* visit(url)
      clicks.state.fault = busy
      yield* Effect.promise(() =>
        page.evaluate(() => {
          for (let size = 2 ** 22, n = 0; size >= 1; n++) {
            try {
              localStorage.setItem(`filler-${n}`, "x".repeat(size))
            } catch {
              size = Math.floor(size / 2)
            }
          }
        })
      )
      yield* record(page, "p-1", "p-2")
      yield* waiting(page, 0)
      clicks.state.fault = () => undefined
      yield* Effect.promise(() => page.evaluate(() => dispatchEvent(new Event("online"))))
      assert.deepStrictEqual(yield* products(2), ["p-1", "p-2"])
    })
  )

  it.effect("is dropped after three days, or 500 newer ones", () =>
    Effect.gen(function* () {
      const { clicks, products, url } = yield* shop()
      const page = yield* visit(url, (visitor) => visitor.clock.install())
      clicks.state.fault = busy
      yield* record(page, "p-old")
      yield* waiting(page, 1)
      yield* Effect.promise(() => page.clock.fastForward(73 * 3_600_000))
      yield* waiting(page, 0)
      const ids = Array.from({ length: 600 }, (_, n) => `p-${String(n).padStart(3, "0")}`)
      for (let n = 0; n < 600; n += 50) {
        yield* record(page, ...ids.slice(n, n + 50))
        yield* Effect.promise(() => page.clock.fastForward(1_001))
      }
      clicks.state.fault = () => undefined
      yield* later(page)
      assert.deepStrictEqual(yield* products(500), ids.slice(100))
    })
  )
})
