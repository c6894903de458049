import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestBrowser } from "../../../test/browser.ts"
import { busy } from "./Front.ts"
import { bytesByKey, later, openTab, record, sent, shop, visit, waiting } from "./Shop.ts"

layer(TestBrowser.layer, { excludeTestServices: true })("a click that waits", (it) => {
  it.effect("is sent later if its page crashes between writing and sending", () =>
    Effect.gen(function* () {
      const { clicks, products, url } = yield* shop()
      const page = yield* visit("about:blank")
      // The timers of the page never fire, so nothing is sent.
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

  it.effect("is stored once when two tabs send each other's batches", () =>
    Effect.gen(function* () {
      const { clicks, products, url } = yield* shop()
      const first = yield* visit(url, (visitor) => visitor.clock.install())
      const second = yield* openTab(first, url)
      const held = Promise.withResolvers<undefined>()
      clicks.state.fault = ({ clicks }) => (clicks.includes("p-first") ? held.promise : undefined)
      yield* record(first, "p-first")
      yield* sent(clicks, "p-first")
      yield* record(second, "p-second")
      yield* products(1)
      // A page does not send the new clicks of other pages.
      assert.lengthOf(clicks.sent, 2)
      held.resolve(undefined)
      yield* products(2)
      yield* waiting(first, 0)
      clicks.state.fault = busy
      yield* record(first, "p-1", "p-2")
      yield* record(second, "p-3", "p-4")
      yield* waiting(first, 2)
      clicks.state.fault = () => undefined
      yield* Effect.all([later(first), later(second)], { concurrency: "unbounded" })
      yield* products(6)
      yield* waiting(second, 0)
      for (const bytes of bytesByKey(clicks.sent).values()) assert.strictEqual(bytes.size, 1)
      assert.deepStrictEqual(yield* products(6), ["p-1", "p-2", "p-3", "p-4", "p-first", "p-second"])
    })
  )

  it.effect("has the right time if the clock of the browser is wrong, even if it is sent later", () =>
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
      // It waited ten minutes by the page's clock only.
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

  it.effect("is dropped after three days, or after 500 newer clicks", () =>
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
