import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { bare } from "../../cli/test/clicks.ts"
import { Dashboard, logIn, newPage, openScreen, untilLoaded, visit } from "./Dashboard.ts"

/** Runs a command on the database of the service. */
const command = (...args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { env } = yield* Dashboard
    const { code, stderr, stdout } = yield* bare(args, env)
    assert.strictEqual(code, 0, stderr)
    return stdout.trim()
  })

layer(Dashboard.layer, { excludeTestServices: true })("the login of the dashboard", (it) => {
  it.effect("rejects a wrong key, accepts a valid one, keeps the screen of the address, and logs out", () =>
    Effect.gen(function* () {
      const page = yield* newPage()
      yield* visit(page, { screen: "products" })
      yield* logIn(page, "clk_wrong")
      yield* Effect.promise(() => page.getByText("This key is unknown or revoked").waitFor())
      yield* logIn(page)
      yield* Effect.promise(async () => {
        await page.getByRole("heading", { name: "Products", exact: true }).waitFor()
        const [cookie] = await page.context().cookies()
        const name = `clicks_session_${new URL(page.url()).port}`
        assert.deepInclude(cookie, { name, httpOnly: true, sameSite: "Strict", path: "/" })
        await page.getByRole("button", { name: "Log out" }).click()
        await page.getByRole("heading", { name: "Log in to Clicks" }).waitFor()
        assert.deepStrictEqual(await page.context().cookies(), [])
      })
    })
  )

  it.effect("follows a link of clicks open, once", () =>
    Effect.gen(function* () {
      const { link } = JSON.parse(yield* command("open", "--json"))
      const page = yield* newPage()
      yield* Effect.promise(() => page.goto(link))
      yield* untilLoaded(page)
      assert.notInclude(page.url(), "login")
      const second = yield* newPage()
      yield* Effect.promise(async () => {
        await second.goto(link)
        await second.getByText("has expired or has been used").waitFor()
        await second.getByRole("heading", { name: "Log in to Clicks" }).waitFor()
      })
    })
  )

  it.effect(
    "stays logged in after a link from another site, which the browser opens without the cookie",
    () =>
      Effect.gen(function* () {
        const page = yield* openScreen("products")
        yield* Effect.promise(async () => {
          const requested = page.waitForRequest("**/api/session")
          await page.goto(`data:text/html,${encodeURIComponent(`<a href="${page.url()}">Products</a>`)}`)
          await page.getByRole("link", { name: "Products" }).click()
          await requested
          await page.getByRole("heading", { name: "Products", exact: true }).waitFor()
        })
      })
  )

  it.effect("ends at the next request after the key is revoked", () =>
    Effect.gen(function* () {
      const key = yield* command("keys", "create", "--user", "anna")
      const page = yield* newPage()
      yield* visit(page)
      yield* logIn(page, key)
      yield* untilLoaded(page)
      assert.include(yield* Effect.promise(() => page.textContent("header")), "anna")
      const { keys } = JSON.parse(yield* command("keys", "list", "--json"))
      yield* command("keys", "revoke", keys.find((each: { user_id: string }) => each.user_id === "anna").id)
      yield* Effect.promise(async () => {
        await page.keyboard.press("r")
        await page.getByText("Your session has ended").waitFor()
      })
    })
  )

  it.effect("shares the figures of a filter with people who have no key", () =>
    Effect.gen(function* () {
      const page = yield* openScreen("products")
      const url = yield* Effect.promise(async () => {
        await page.getByLabel("Value").fill("loyalty")
        await page.getByLabel("Filter by").selectOption("Campaign")
        await page.getByRole("button", { name: "Filter", exact: true }).click()
        await page.getByRole("link", { name: "Campaign loyalty" }).waitFor()
        await page.getByRole("button", { name: "Share" }).click()
        await page.getByText(/Campaign loyalty, \d/).waitFor()
        await page.getByRole("button", { name: "Create link" }).click()
        return page.getByLabel("Link").inputValue()
      })
      const guest = yield* newPage()
      yield* Effect.promise(() => guest.goto(url))
      yield* untilLoaded(guest)
      yield* Effect.promise(async () => {
        assert.deepStrictEqual(await guest.locator("tbody th").allTextContents(), ["p-2"])
        assert.strictEqual(await guest.getByRole("link", { name: /Live|System|loyalty/ }).count(), 0)
        assert.strictEqual(await guest.getByRole("button", { name: /Share|Log out/ }).count(), 0)
        const filters = await guest.getByLabel("Filter by").locator("option").allTextContents()
        const fields = [
          "Product",
          "Store",
          "Brand",
          "Action",
          "Source",
          "Page type",
          "Device",
          "State",
          "City"
        ]
        assert.deepStrictEqual(filters, fields)
        await guest.getByRole("link", { name: "Overview" }).click()
        await guest.getByText(/^2 clicks by 1 visitor/).waitFor()
        await guest.reload()
        await guest.getByText(/^2 clicks by 1 visitor/).waitFor()
        assert.deepStrictEqual(await guest.context().cookies(), [])
        await guest.goto(url.replace(/.(?=\?)/, "_"))
        await guest.getByText("This share link is not valid").waitFor()
        await guest.goto(url.slice(0, 50))
        await guest.getByText("This share link is not valid").waitFor()
      })
    })
  )

  it.effect("shows no tasks to a reader, and allows no change with only a cookie", () =>
    Effect.gen(function* () {
      const page = yield* openScreen("system")
      const add = (headers: Record<string, string>) =>
        Effect.promise(() =>
          page.evaluate(async (headers) => {
            const body = JSON.stringify({ kind: "domain", value: "shop.example" })
            const init = { method: "POST", body, headers: { "content-type": "application/json", ...headers } }
            return (await fetch("/api/admin/trusted-origins", init)).status
          }, headers)
        )
      assert.strictEqual(yield* add({}), 403)
      assert.strictEqual(yield* add({ "x-clicks-page": "1" }), 201)
      yield* Effect.promise(async () => {
        await page.keyboard.press("r")
        await page.getByRole("button", { name: "shop.example is trusted" }).click()
        await page.getByRole("button", { name: "shop.example is trusted", pressed: false }).waitFor()
      })
      const reader = yield* newPage()
      yield* visit(reader, { screen: "system" })
      yield* logIn(reader, yield* command("keys", "create", "--user", "otto"))
      yield* Effect.promise(() => reader.getByText("Only admins see").waitFor())
    })
  )
})
