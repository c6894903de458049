import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { adminKey, Dashboard, logIn, newPage, openScreen, rows, visit } from "./Dashboard.ts"

const post = (path: string, body: object) =>
  Effect.gen(function* () {
    const { url } = yield* Dashboard
    const headers = { "content-type": "application/json", "x-api-key": adminKey }
    yield* Effect.promise(async () => {
      const { ok, status } = await fetch(`${url}${path}`, {
        method: "POST",
        headers,
        body: JSON.stringify(body)
      })
      assert.isTrue(ok, String(status))
    })
  })

const press = (page: Page, name: string | RegExp) =>
  Effect.promise(() => page.getByRole("button", { name, exact: true }).click())

const unknownStore = 'Store s-17 is unknown. Its crawls fail until "clicks tasks discover" finds it.'

layer(Dashboard.layer, { excludeTestServices: true })("the system screen", (it) => {
  it.effect("shows the originals of clicks that could not be stored as sent, with the reasons", () =>
    Effect.gen(function* () {
      const city = { name: "Yuma" }
      yield* post("/api/events/product-click", {
        product_id: "p-1",
        action: "view",
        source: "system",
        visitor_city: city
      })
      const page = yield* openScreen("system")
      yield* Effect.promise(async () => {
        await page.locator("summary", { hasText: "visitor_city" }).click()
        await page.getByText(`"visitor_city":${JSON.stringify(city)}`).waitFor()
      })
    })
  )

  it.effect("shows how many clicks wait for the archive, and why the archive is unavailable", () =>
    Effect.gen(function* () {
      const page = yield* openScreen("system")
      const answers = [
        { usable: true, lag_clicks: 0, lag_seconds: 0 },
        { usable: true, lag_clicks: 1200, lag_seconds: 600 },
        { usable: false, lag_clicks: 1_000_000, lag_seconds: 7200, reason: "ClickHouse does not respond" }
      ]
      const found = yield* Effect.forEach(answers, (answer) =>
        Effect.promise(async () => {
          await page.unrouteAll()
          await page.route("**/readyz", (route) =>
            route.fulfill({
              json: {
                status: "ok",
                checks: { database: { status: "ok" }, archive: { status: "ok", ...answer } }
              }
            })
          )
          await page.reload()
          const archive = page.locator(".checks div").filter({ hasText: "archive" })
          await archive.waitFor()
          const texts = [archive.locator("dt"), archive.locator("dd"), page.locator(".summary").first()]
          return Promise.all(texts.map((text) => text.textContent()))
        })
      )
      assert.deepStrictEqual(found, [
        ["ok archive", "No clicks are waiting to be moved.", "All checks passed."],
        ["ok archive", "1,200 clicks wait to be moved, the oldest for 10 minutes.", "All checks passed."],
        [
          "unavailable archive",
          "ClickHouse does not respond. At least 1,000,000 clicks wait to be moved, the oldest for 2 hours.",
          "The service works without its archive."
        ]
      ])
    })
  )

  it.effect("creates a key, which logs in until it is revoked", () =>
    Effect.gen(function* () {
      const page = yield* openScreen("system")
      yield* Effect.promise(() => page.getByLabel("User of the new key").fill("berta"))
      yield* press(page, "Create key")
      const secret = yield* Effect.promise(
        async () => (await page.locator(".secret code").textContent()) ?? ""
      )
      const other = yield* newPage()
      yield* visit(other, { screen: "system" })
      yield* logIn(other, secret)
      yield* Effect.promise(() => other.getByText("Only admins see").waitFor())
      const ids = yield* Effect.promise(() =>
        page
          .getByRole("row", { name: /^berta/ })
          .locator("code")
          .allTextContents()
      )
      assert.match(ids.join(), /^…[0-9a-f]{8}$/)
      yield* press(page, `Revoke the key ${ids[0]} of berta`)
      yield* press(page, `Really revoke the key ${ids[0]} of berta?`)
      yield* Effect.promise(async () => {
        await page.locator("tr.past", { hasText: "berta" }).waitFor()
        await other.goto(other.url().replace("system", "products"))
        await other.getByRole("heading", { name: "Log in to Clicks" }).waitFor()
      })
    })
  )

  it.effect(
    "sets, changes and deletes schedules, and shows which store is unknown and why one is rejected",
    () =>
      Effect.gen(function* () {
        const page = yield* openScreen("system")
        const every = page.getByLabel("Minutes between crawls of s-17")
        yield* Effect.promise(async () => {
          await page.getByLabel("Store to crawl").fill("s-17")
          await page.getByLabel("Minutes between crawls", { exact: true }).fill("30")
        })
        yield* press(page, "Set schedule")
        yield* Effect.promise(async () => {
          await page.getByText(unknownStore).waitFor()
          await every.fill("45")
          const changed = page.waitForResponse((response) => response.request().method() === "PUT")
          await every.press("Tab")
          await changed
          await page.reload()
        })
        assert.strictEqual(yield* Effect.promise(() => every.inputValue()), "45")
        yield* press(page, "s-17 is crawled")
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "s-17 is crawled", pressed: false }).waitFor()
          await every.fill("5000")
          await every.press("Tab")
          await page.getByRole("alert").filter({ hasText: "interval_minutes" }).waitFor()
        })
        yield* press(page, "Delete the schedule of s-17")
        yield* press(page, "Really delete the schedule of s-17?")
        yield* Effect.promise(() => page.getByText("No schedules yet").waitFor())
      })
  )

  it.effect("cancels a task", () =>
    Effect.gen(function* () {
      yield* post("/api/tasks/batch/store-discovery", { states: ["AZ"] })
      const page = yield* openScreen("system")
      yield* Effect.promise(async () => {
        await page.getByRole("button", { name: /^Cancel the task store-discovery/ }).click()
        await page.locator(".state.cancelled").waitFor()
      })
      const [found] = (yield* rows(page)).filter(([kind]) => kind === "store-discovery")
      assert.strictEqual(found?.[1], "cancelled")
    })
  )
})
