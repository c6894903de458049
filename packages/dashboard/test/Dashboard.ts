import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { BrowserContextOptions, Page } from "playwright-core"
import { TestBrowser } from "../../../test/browser.ts"
import { type Environment, folderLayer, onTestDatabase } from "../../cli/test/clicks.ts"
import { runService } from "../../cli/test/service/runningService.ts"
import * as TestDatabase from "../../sql-adapter/test/TestDatabase.ts"

const builder = fileURLToPath(new URL("../build.mjs", import.meta.url))

/** The only origin whose pages may show share links in a frame. */
export const intranet = "https://intranet.example"

export const adminKey = "an-admin-key-of-the-tests"

export const longName = `OG Kush ${"with a very long name ".repeat(8)}`.trim()
const rightToLeft = `زهرة الربيع 3.5 غ ${"من المتجر الكبير ".repeat(5)}`.trim()

/** The range of the known clicks, and the five days before it. */
export const range = { range: "custom", from: "2025-11-17", to: "2025-11-21", tz: "UTC" }

const click = (product_id: string, action: string, occurred_at: string, more: object = {}) => ({
  product_id,
  action,
  source: "web",
  campaign_id: "spring-sale",
  store_id: "s-1",
  occurred_at,
  ...more
})

const known = [
  ...["10:05", "10:10", "10:15", "11:00"].map((time) => click("p-1", "view", `2025-11-19T${time}Z`)),
  ...["10:20", "10:25"].map((time) => click("p-1", "open_product", `2025-11-19T${time}Z`)),
  click("p-1", "open_store", "2025-11-20T09:00Z"),
  click("p-1", "compare", "2025-11-20T09:05Z"),
  click("p-2", "view", "2025-11-21T09:00Z", { campaign_id: "loyalty", store_id: "s-2" }),
  click("p-2", "open_product", "2025-11-21T09:00Z", { campaign_id: "loyalty", store_id: "s-2" }),
  click(longName, "view", "2025-11-21T10:00Z", {
    visitor_city: rightToLeft,
    visitor_state: "AZ",
    page_type: "search"
  }),
  click("p-1", "view", "2025-11-14T10:00Z"),
  click("p-1", "view", "2025-11-14T11:00Z"),
  click("p-2", "view", "2025-11-15T10:00Z"),
  click("p-2", "open_product", "2025-11-15T10:00Z")
]

const record = (url: string) =>
  Effect.promise(async () => {
    const { status } = await fetch(`${url}/api/events/product-clicks`, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": "Mozilla/5.0 (iPad)" },
      body: JSON.stringify(known)
    })
    assert.strictEqual(status, 200)
  })

/** A service with the known clicks, on PostgreSQL and a free port. */
export class Dashboard extends Context.Service<
  Dashboard,
  { readonly url: string; readonly env: Environment }
>()("@clicks/dashboard/test/Dashboard") {
  static readonly layer = Layer.effect(
    Dashboard,
    Effect.gen(function* () {
      yield* Effect.promise(() => promisify(execFile)(process.execPath, [builder]))
      const env = { ...(yield* onTestDatabase), CLICKS_ADMIN_KEY: adminKey, CLICKS_SHARE_FRAMES: intranet }
      const { url } = yield* runService(["serve"], env)
      yield* record(url)
      return { url, env: { ...env, PORT: new URL(url).port } }
    })
  ).pipe(Layer.provideMerge([folderLayer, TestDatabase.layer, TestBrowser.layer]))
}

/** A page, and its problems: failed scripts, violations of the Content Security Policy, requests to other origins. */
export const newPage = (options: BrowserContextOptions = {}) =>
  Effect.gen(function* () {
    const { url } = yield* Dashboard
    const visitor = yield* TestBrowser.visitor({ locale: "en-US", ...options })
    const problems: Array<string> = []
    return yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const page = await visitor.newPage()
        page.on("pageerror", ({ message }) => problems.push(message))
        page.on("console", (message) => {
          if (/Content Security Policy|Trusted/i.test(message.text())) problems.push(message.text())
        })
        page.on("request", (request) => {
          if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(`${url}/`)) {
            problems.push(`asked ${request.url()}`)
          }
        })
        return page
      }),
      () => Effect.sync(() => assert.deepStrictEqual(problems, []))
    )
  })

/** The text of each cell of each row of the tables. */
export const rows = (page: Page) =>
  Effect.promise(() =>
    page
      .locator("tbody tr")
      .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent ?? "")))
  )

/** Goes to an address of the dashboard. */
export const visit = (page: Page, parameters: Readonly<Record<string, string>> = {}, hash = "") =>
  Effect.gen(function* () {
    const { url } = yield* Dashboard
    yield* Effect.promise(() => page.goto(`${url}/?${new URLSearchParams(parameters)}${hash}`))
  })

/** Waits until every panel has loaded its figures. */
export const untilLoaded = (page: Page) =>
  Effect.promise(() =>
    page.waitForFunction(
      () =>
        document.querySelector(".shell h1") !== null &&
        document.querySelector("[aria-busy=true], .skeleton") === null
    )
  )

/** Logs in with a key. */
export const logIn = (page: Page, key = adminKey) =>
  Effect.promise(async () => {
    await page.getByLabel("Key", { exact: true }).fill(key)
    await page.getByRole("button", { name: "Log in" }).click()
  })

/** A logged-in page that shows a screen in the range of the known clicks. */
export const openScreen = (screen: string, options: BrowserContextOptions = {}) =>
  Effect.gen(function* () {
    const page = yield* newPage(options)
    yield* visit(page, { ...range, screen })
    yield* logIn(page)
    yield* untilLoaded(page)
    return page
  })
