import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { TestBrowser } from "../../../test/browser.ts"
import { shop, visit } from "./Shop.ts"

const card = `<style>a, button, p { display: block; height: 40px }</style>
  <section data-click="other" data-product="p-outer" data-store="s-1" data-brand="b-1">
    <article data-click="open_product" data-product="p-inner" data-campaign="c-1">
      <p id="text" onclick="event.stopPropagation()">Text</p>
      <div data-click="view" style="display: contents"><a id="link" href="/next">Next</a></div>
    </article>
    <button id="plain">Plain</button>
  </section>
  <div id="clicks"></div>`

const partly = `<style>body { margin: 0 } div { height: 70vh }</style>
  <div data-click="view" data-product="p-1"></div>
  <div data-click="view" data-product="p-2"></div>
  <div data-click="view" data-product="p-3"></div>`

/** Waits until the page's observers have reported on the elements. */
const observed = (page: Page) =>
  Effect.promise(() =>
    page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const observer = new IntersectionObserver(() => resolve())
          for (const element of document.querySelectorAll("div")) observer.observe(element)
        })
    )
  )

/** Shows the whole second element for a moment. */
const glance = (page: Page) =>
  Effect.promise(() =>
    page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          let wasShown = false
          const observer = new IntersectionObserver(
            ([entry]) => {
              if (entry?.isIntersecting) {
                wasShown = true
                scrollTo(0, 0)
              } else if (wasShown) resolve()
            },
            { threshold: 0.5 }
          )
          observer.observe(document.querySelector("[data-product=p-2]") as Element)
          scrollTo(0, innerHeight * 0.7)
        })
    )
  )

const views = `<style>div { height: 100vh }</style>
  <div id="top" data-click="view" data-product="p-top"></div>
  <div data-click="view" data-product="p-below"></div>`

layer(TestBrowser.layer, { excludeTestServices: true })("data-click", (it) => {
  it.effect(
    "records a click for the nearest element that has it, without preventing the default action",
    () =>
      Effect.gen(function* () {
        const { products, stored, url } = yield* shop({ "/": { body: card }, "/next": { body: card } })
        const page = yield* visit(`${url}/?utm_source=mail&utm_campaign=spring`)
        yield* Effect.promise(async () => {
          await page.click("#text")
          await page.click("#text", { button: "middle" })
          await page.click("#text", { button: "right" })
          // The link is in an element whose views are recorded, so the click belongs to the element around that one.
          await page.click("#link")
          await page.waitForURL("**/next")
          await page.click("#plain")
        })
        assert.deepStrictEqual(yield* products(4), ["p-inner", "p-inner", "p-inner", "p-outer"])
        const common = { source: "mail", store_id: "s-1", brand_id: "b-1" }
        for (const event of yield* stored) {
          assert.deepInclude(
            event,
            event.product_id === "p-inner"
              ? { ...common, action: "open_product", campaign_id: "c-1", url_path: "/" }
              : { ...common, action: "other", campaign_id: "spring", url_path: "/next" }
          )
        }
        const ids = (yield* stored).map(({ session_id, visitor_id }) => `${session_id} ${visitor_id}`)
        assert.strictEqual(new Set(ids).size, 1)
        assert.match(ids[0] ?? "", /^\w{8,} \w{8,}$/)
      })
  )

  it.effect(
    "records a view when half of the element is visible for a second, once until the URL changes",
    () =>
      Effect.gen(function* () {
        const { products, url } = yield* shop({ "/": { body: views } })
        const page = yield* visit(url)
        yield* products(1)
        yield* Effect.promise(() =>
          page.evaluate(() => {
            location.hash = "#top"
            const top = document.querySelector("#top")
            const again = top?.cloneNode() as Element
            top?.replaceWith(again)
            again.innerHTML = '<p data-click="view" data-product="p-late">Late</p>'
          })
        )
        assert.deepStrictEqual(yield* products(2), ["p-late", "p-top"])
        yield* Effect.promise(() => page.evaluate(() => history.pushState(null, "", "/other")))
        assert.deepStrictEqual(yield* products(4), ["p-late", "p-late", "p-top", "p-top"])
      })
  )

  it.effect(
    "records no view in a hidden tab, or when less than half is visible, or for less than a second",
    () =>
      Effect.gen(function* () {
        const { stored, url } = yield* shop({ "/": { body: partly } })
        const page = yield* visit(url, async (visitor) => {
          await visitor.clock.install({ time: 0 })
          await visitor.clock.pauseAt(1)
        })
        const pass = (milliseconds: number) => Effect.promise(() => page.clock.runFor(milliseconds))
        // Three sevenths of the second element are visible, then all of it for a moment.
        yield* observed(page)
        yield* pass(1_001)
        yield* glance(page)
        yield* pass(1_001)
        yield* Effect.promise(() =>
          page.evaluate(() => {
            Object.defineProperty(document, "hidden", { value: true, configurable: true })
            history.pushState(null, "", "/hidden")
          })
        )
        yield* pass(100)
        yield* observed(page)
        yield* pass(1_001)
        yield* Effect.promise(() =>
          page.evaluate(() => {
            Reflect.deleteProperty(document, "hidden")
            history.pushState(null, "", "/shown")
          })
        )
        const events = yield* pass(1_001).pipe(
          Effect.andThen(observed(page)),
          Effect.andThen(stored),
          Effect.repeat({ until: (events) => events.some(({ url_path }) => url_path === "/shown") })
        )
        const views = events.map(({ product_id, url_path }) => `${product_id} on ${url_path}`).sort()
        assert.deepStrictEqual(views, ["p-1 on /", "p-1 on /shown"])
      })
  )

  it.effect("records each click once if the script is included twice", () =>
    Effect.gen(function* () {
      const { clicks, products, url } = yield* shop({ "/": { body: card } })
      const page = yield* visit(url)
      yield* Effect.promise(async () => {
        await page.addScriptTag({ url: `${clicks.url}/clicks.v1.js` })
        await page.click("#plain")
        await page.click("#text")
      })
      assert.deepStrictEqual(yield* products(2), ["p-inner", "p-outer"])
    })
  )
})
