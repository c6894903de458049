import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import {
  Dashboard,
  intranet,
  longName,
  newPage,
  openScreen,
  range,
  rows,
  untilLoaded,
  visit
} from "./Dashboard.ts"

const text = (page: Page, selector: string) =>
  Effect.promise(async () => (await page.locator(selector).allInnerTexts()).join("\n"))

const go = (page: Page, parameters: Readonly<Record<string, string>>) =>
  visit(page, { ...range, ...parameters }).pipe(Effect.andThen(untilLoaded(page)))

layer(Dashboard.layer, { excludeTestServices: true })("the dashboard", (it) => {
  it.effect("shows clicks, visitors and rates with the period before", () =>
    Effect.gen(function* () {
      const page = yield* openScreen("overview")
      const figures = yield* text(page, ".figure")
      for (const part of ["11", "+175.0%", "from 4", "50.0%", "+16.7 pts", "from 33.3%"])
        assert.include(figures, part)
      assert.include(
        yield* text(page, ".summary"),
        "11 clicks by 1 visitor, +175.0% compared with the previous period."
      )
      assert.strictEqual(yield* Effect.promise(() => page.locator(".sparkline .open").count()), 0)
      yield* Effect.promise(async () => {
        await page.locator(".plot canvas").waitFor()
        await page.locator(".plot").focus()
        for (const key of ["ArrowRight", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key)
      })
      assert.include(yield* text(page, ".readout"), "Wed 19 Nov: 6 clicks, 2 before")
      yield* Effect.promise(() => page.getByRole("button", { name: "Table" }).click())
      assert.deepInclude(yield* rows(page), ["Thu 20 Nov", "2", "1", "2", "1"])
    })
  )

  it.effect("draws charts in a browser whose language is not a language tag", () =>
    Effect.gen(function* () {
      const page = yield* openScreen("overview")
      yield* Effect.promise(async () => {
        await page.addInitScript(() => Object.defineProperty(navigator, "language", { value: "en-US@posix" }))
        await page.reload()
        await page.locator(".plot canvas").waitFor()
      })
    })
  )

  it.effect("ranks products, filters by a clicked product, and goes back", () =>
    Effect.gen(function* () {
      const page = yield* openScreen("products")
      const found = yield* rows(page)
      assert.deepStrictEqual(
        found.map((row) => row.slice(0, 3)),
        [
          ["p-1", "", "8"],
          ["p-2", "", "2"],
          [longName, "", "1"]
        ]
      )
      assert.deepStrictEqual(found[0]?.slice(3), [
        "▲ +300.0%",
        "72.7%",
        "4",
        "1",
        "2",
        "50.0%",
        "1",
        "50.0%",
        "0",
        "1"
      ])
      yield* Effect.promise(() => page.getByRole("link", { name: "Falling" }).click())
      yield* Effect.promise(() =>
        page.waitForFunction(() => document.querySelector("tbody th")?.textContent === "p-2")
      )
      assert.include(yield* text(page, "h2"), "Products by change in clicks")
      assert.deepStrictEqual(
        (yield* rows(page)).map(([name, , clicks, gain]) => [name, clicks, gain]),
        [
          ["p-2", "2", "0"],
          [longName, "1", "+1"],
          ["p-1", "8", "+6"]
        ]
      )
      yield* Effect.promise(() => page.getByRole("link", { name: "p-2" }).click())
      yield* Effect.promise(() =>
        page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 1)
      )
      assert.include(page.url(), "product_id=p-2")
      yield* Effect.promise(() => page.goBack())
      yield* Effect.promise(() =>
        page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 3)
      )
      assert.notInclude(page.url(), "product_id")
      yield* Effect.promise(() => page.goBack())
      yield* Effect.promise(() =>
        page.waitForFunction(() => document.querySelector("tbody th")?.textContent === "p-1")
      )
    })
  )

  it.effect("draws the funnel, and the hours of the week", () =>
    Effect.gen(function* () {
      const page = yield* openScreen("funnel")
      assert.include(yield* text(page, "h2"), "Funnel by campaign most clicks of all four actions first")
      assert.include(
        yield* text(page, ".summary"),
        "Of 6 views, 3 led to opening the product (50.0%), and 1 to the store (16.7%). Products were also compared 1 time."
      )
      assert.deepInclude(yield* rows(page), [
        "spring-sale",
        "5",
        "1",
        "2",
        "40.0%",
        "1",
        "50.0%",
        "20.0%",
        "▲ +20.0 pts"
      ])
      yield* go(page, { screen: "when" })
      assert.include(
        yield* text(page, ".summary"),
        "The busiest hour of the week is Wednesday 10:00 (UTC), with 5 clicks."
      )
      yield* Effect.promise(async () => {
        await page.locator(".heat-map .scroll").focus()
        await page.keyboard.press("ArrowRight")
        for (let day = 0; day < 4; day++) await page.keyboard.press("ArrowDown")
        for (let hour = 0; hour < 9; hour++) await page.keyboard.press("ArrowRight")
      })
      assert.include(yield* text(page, ".readout"), "Friday 09:00: 2 clicks")
    })
  )

  it.effect("distinguishes new and returning visitors, and pairs products of one visit", () =>
    Effect.gen(function* () {
      const page = yield* openScreen("visitors")
      const summaries = yield* text(page, ".summary")
      assert.include(summaries, "1 visitor: 0 new, 1 returning (100.0%).")
      assert.include(summaries, "The return rate needs two whole weeks of clicks.")
      const found = yield* rows(page)
      assert.deepStrictEqual(found, [
        ["10 Nov 2025", "1", "100.0%*"],
        [longName, "p-2", "1", "1"]
      ])
      yield* Effect.promise(async () => {
        await page.locator(".plot canvas").waitFor()
        await page.locator(".plot").focus()
        await page.keyboard.press("End")
      })
      assert.include(yield* text(page, ".readout"), "Fri 21 Nov: 0 new, 1 returning")
      yield* go(page, { screen: "visitors", to: "2025-11-24" })
      assert.include(yield* text(page, ".summary"), "100.0% of new visitors clicked again a week later.")
      assert.deepInclude(yield* rows(page), ["10 Nov 2025", "1", "100.0%"])
    })
  )

  it.effect("compares an unfinished day with the same part of the day before", () =>
    Effect.gen(function* () {
      const { url } = yield* Dashboard
      const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
      yield* Effect.promise(async () => {
        const clicks = [-24.1, -23.9, -0.01].map((hours) => ({
          product_id: "p-today",
          action: "view",
          source: "web",
          occurred_at: at(hours)
        }))
        const body = clicks.map((click) => JSON.stringify(click)).join("\n")
        const headers = { "content-type": "application/x-ndjson" }
        await fetch(`${url}/api/events/product-clicks`, { method: "POST", headers, body })
      })
      const page = yield* openScreen("overview")
      // A time zone in which it is about noon.
      const offset = Math.round((new Date().getUTCHours() - 12) % 24)
      const tz = offset === 0 ? "UTC" : `Etc/GMT${offset > 0 ? "+" : ""}${offset}`
      yield* go(page, { range: "today", from: "", to: "", product_id: "p-today", tz })
      const summary = yield* text(page, ".summary")
      assert.match(
        summary,
        /^1 click by 1 visitor so far, 0\.0% compared with the same part of the previous period\. \w{3},? \d\d:00 is not over yet\.$/
      )
      assert.include(yield* text(page, ".legend"), "not over yet")
      yield* go(page, { screen: "when", range: "today", from: "", to: "", product_id: "p-today", tz })
      assert.match(
        yield* text(page, ".summary"),
        /^The busiest hour of the week is .*, with 1 click\. \w{3},? \d{1,2} \w{3} is not over yet\.$/
      )
    })
  )

  it.effect("ranks campaigns, stores, devices and places", () =>
    Effect.gen(function* () {
      const page = yield* openScreen("campaigns")
      assert.deepInclude(
        (yield* rows(page)).map((row) => [row[0], row[2]]),
        ["loyalty", "2"]
      )
      yield* go(page, { screen: "stores" })
      assert.deepInclude(
        (yield* rows(page)).map((row) => [row[0], row[2]]),
        ["s-2", "2"]
      )
      assert.include(yield* text(page, "thead"), "Product opens")
      yield* go(page, { screen: "places" })
      assert.deepInclude(
        (yield* rows(page)).map((row) => row.slice(0, 2)),
        ["tablet", "11"]
      )
      const cities = page.getByRole("region", { name: "Cities", exact: true })
      yield* Effect.promise(async () => {
        await cities.getByRole("link", { name: "Clicks" }).click()
        await cities.getByRole("columnheader").filter({ hasText: "Clicks ↑" }).waitFor()
        await cities.getByRole("rowheader").first().filter({ hasText: "زهرة" }).waitFor()
      })
    })
  )

  it.effect("filters by a clicked device, state, city and page type", () =>
    Effect.gen(function* () {
      const page = yield* openScreen("places")
      const clickValue = (panel: string) =>
        Effect.promise(() =>
          page.getByRole("region", { name: panel, exact: true }).locator("a.value").first().click()
        )
      for (const panel of ["Devices", "States", "Cities", "Page types"]) yield* clickValue(panel)
      yield* untilLoaded(page)
      const { searchParams } = new URL(page.url())
      const names = ["device_type", "visitor_state", "page_type"]
      assert.deepStrictEqual(
        names.map((name) => searchParams.get(name)),
        ["tablet", "AZ", "search"]
      )
      assert.match(searchParams.get("visitor_city") ?? "", /^زهرة/)
      const chips = (yield* text(page, ".chip")).replace(/\s+/g, " ")
      for (const part of ["Device tablet", "State AZ", "City زهرة", "Page type search"])
        assert.include(chips, part)
      yield* go(page, { ...Object.fromEntries(searchParams), screen: "products" })
      assert.deepStrictEqual(
        (yield* rows(page)).map(([product]) => product),
        [longName]
      )
      yield* Effect.promise(() => page.getByRole("link", { name: /^State/ }).click())
      assert.isFalse(new URL(page.url()).searchParams.has("visitor_state"))
    })
  )

  it.effect("says that a range ends before it starts, and corrects it with the next date", () =>
    Effect.gen(function* () {
      const page = yield* openScreen("overview")
      yield* go(page, { from: "2025-11-21", to: "2025-11-17" })
      assert.include(
        yield* text(page, "[role=alert]"),
        "The range from 2025-11-21 to 2025-11-17 is invalid: it needs two dates, the first not after the last. These are the last 7 days instead."
      )
      yield* Effect.promise(async () => {
        await page.keyboard.press("m")
        await page.waitForURL(/range=month/)
        await page.goBack()
        await page.getByLabel("Last day").fill("2025-11-10")
      })
      yield* untilLoaded(page)
      assert.notInclude(yield* text(page, "main"), "is invalid")
      const { searchParams } = new URL(page.url())
      assert.deepStrictEqual([searchParams.get("from"), searchParams.get("to")], ["2025-11-10", "2025-11-10"])
    })
  )

  it.effect("wraps the names of pairs on a phone", () =>
    Effect.gen(function* () {
      const page = yield* openScreen("visitors", { viewport: { width: 390, height: 800 } })
      const [name, other] = yield* Effect.promise(() =>
        page.locator(".pairs tbody bdi").evaluateAll((all) => all.map(({ clientHeight }) => clientHeight))
      )
      assert.isAbove(name ?? 0, 2 * (other ?? 0))
    })
  )

  it.effect("cuts a right-to-left name at its end, and never summarises a missing value as the first", () =>
    Effect.gen(function* () {
      const page = yield* openScreen("places", { viewport: { width: 390, height: 800 } })
      const cities = page.getByRole("region", { name: "Cities", exact: true })
      const [name, cell, summary] = yield* Effect.promise(async () => {
        const row = cities.getByRole("rowheader").filter({ hasText: "زهرة" })
        const left = await row.evaluate((element) => {
          const range = document.createRange()
          const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode()
          range.setStart(text ?? element, 0)
          range.setEnd(text ?? element, 1)
          return range.getBoundingClientRect().toJSON()
        })
        return [left, await row.boundingBox(), await cities.locator(".summary").textContent()] as const
      })
      // The first letter is the rightmost one.
      assert.isAtMost(name.right, (cell?.x ?? 0) + (cell?.width ?? 0))
      assert.match(summary ?? "", /^2 cities\. First: \u2068زهرة .*…\u2069, 1 click, 9\.1% of all clicks\.$/)
    })
  )

  it.effect("shows a click when it arrives, unless it is filtered out or paused", () =>
    Effect.gen(function* () {
      const { url } = yield* Dashboard
      const page = yield* openScreen("live")
      const record = (product_id: string) =>
        Effect.promise(() => {
          const body = JSON.stringify({ product_id, action: "view", source: "web" })
          return fetch(`${url}/api/events/product-click`, { method: "POST", body })
        })
      const until = (text: string) => Effect.promise(() => page.getByText(text).first().waitFor())
      yield* until("Connected")
      yield* record("live-1")
      yield* until("live-1")
      yield* Effect.promise(() => page.getByRole("button", { name: "Pause" }).click())
      yield* record("live-2")
      yield* until("2 since this screen was opened")
      assert.lengthOf(yield* rows(page), 1)
      yield* Effect.promise(() => page.getByRole("button", { name: "Resume" }).click())
      yield* until("live-2")
      yield* Effect.promise(() => page.getByRole("link", { name: "live-1" }).click())
      yield* until("Waiting for the next click")
      yield* until("Connected")
      yield* record("live-2")
      yield* record("live-1")
      yield* until("live-1")
      yield* until("1 since this screen was opened")
      assert.deepStrictEqual(
        (yield* rows(page)).map((row) => row[2]),
        ["live-1"]
      )
    })
  )

  it.effect("saves a panel as CSV", () =>
    Effect.gen(function* () {
      const page = yield* openScreen("products")
      const content = yield* Effect.promise(async () => {
        const download = page.waitForEvent("download")
        await page.getByRole("button", { name: "Products by clicks as CSV" }).click()
        const file = await download
        assert.strictEqual(file.suggestedFilename(), "clicks-products-by-clicks-2025-11-17.csv")
        let text = ""
        for await (const piece of await file.createReadStream()) text += piece
        return text
      })
      const [titles, first] = content.replace("\ufeff", "").split("\r\n")
      assert.match(titles ?? "", /^Product,Clicks,Change,Share,Views,/)
      assert.match(first ?? "", /^p-1,8,3,0\.7272/)
    })
  )

  it.effect("shows what to do if there are no clicks or the service does not respond", () =>
    Effect.gen(function* () {
      const page = yield* openScreen("overview")
      yield* go(page, { from: "2020-01-01", to: "2020-01-02" })
      assert.include(
        yield* text(page, ".panel"),
        "No clicks in this range. Choose a longer range, or remove a filter."
      )
      yield* Effect.promise(async () => {
        await page.route("**/api/**", (route) => route.abort())
        await page.keyboard.press("r")
        await page.getByText("The service does not respond").waitFor()
      })
    })
  )

  it.effect("paints its frame before its script has loaded", () =>
    Effect.gen(function* () {
      const page = yield* newPage()
      const { url } = yield* Dashboard
      yield* Effect.promise(async () => {
        let release = (_: undefined) => {}
        const held = new Promise((resolve) => {
          release = resolve
        })
        await page.route("**/assets/app-*.js", async (route) => {
          await held
          await route.continue()
        })
        await page.goto(url, { waitUntil: "commit" })
        await page.getByText("Loading clicks").waitFor()
        release(undefined)
        await page.getByRole("heading", { name: "Log in to Clicks" }).waitFor()
        assert.strictEqual(await page.getByText("Loading clicks").count(), 0)
      })
    })
  )

  it.effect(
    "loads at most 45 kB of JavaScript initially, 90 kB and 6 requests in total, and caches its files",
    () =>
      Effect.gen(function* () {
        const first = yield* openScreen("system")
        // With the cookie of the session, but an empty cache.
        const page = yield* newPage({
          storageState: yield* Effect.promise(() => first.context().storageState())
        })
        const sizes: Array<readonly [string, number]> = []
        page.on("requestfinished", async (request) => {
          const { responseBodySize } = await request.sizes()
          sizes.push([new URL(request.url()).pathname, responseBodySize])
        })
        yield* visit(page, range)
        yield* Effect.promise(async () => {
          await page.locator(".plot canvas").waitFor()
          await page.waitForLoadState("networkidle")
        })
        const sum = (pattern: RegExp) =>
          sizes.filter(([path]) => pattern.test(path)).reduce((total, [, size]) => total + size, 0)
        assert.isAtMost(sizes.length, 6, JSON.stringify(sizes))
        assert.notInclude(JSON.stringify(sizes), "/api/session")
        assert.isAtMost(sum(/(?:app|start)-.*\.js$/), 45_000)
        assert.isAtMost(sum(/./), 90_000)
        assert.isAbove(sum(/app-.*\.js$/), 5_000)
        const asset = sizes.find(([path]) => path.endsWith(".js"))?.[0] ?? ""
        const headersOf = (path: string) =>
          Effect.promise(async () => (await page.request.get(new URL(path, page.url()).href)).headers())
        assert.strictEqual((yield* headersOf(asset))["cache-control"], "public, max-age=31536000, immutable")
        const index = yield* headersOf("/")
        assert.strictEqual(
          index["content-security-policy"],
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; require-trusted-types-for 'script'"
        )
        const shared = yield* headersOf("/share/token")
        assert.include(shared["content-security-policy"], `frame-ancestors ${intranet}; `)
      })
  )
})
