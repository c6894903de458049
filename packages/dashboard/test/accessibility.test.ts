import { assert, layer } from "@effect/vitest"
import axe from "axe-core"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { Dashboard, newPage, openScreen, range, untilLoaded, visit } from "./Dashboard.ts"

declare global {
  interface Window {
    readonly axe: typeof axe
  }
}

/** What axe finds, by rule and element. */
const findings = (page: Page) =>
  Effect.promise(async () => {
    await page.evaluate(axe.source)
    return page.evaluate(async () => {
      const { violations } = await window.axe.run()
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
    })
  })

const screens = [
  "overview",
  "products",
  "live",
  "funnel",
  "campaigns",
  "stores",
  "visitors",
  "when",
  "places",
  "system"
]

/** Nothing in light and in dark. */
const expectNone = (page: Page, where: string) =>
  Effect.gen(function* () {
    for (const _ of ["first", "other"]) {
      const theme = yield* Effect.promise(() =>
        page.evaluate(() => document.documentElement.dataset["theme"])
      )
      assert.deepStrictEqual(yield* findings(page), [], `${where}, ${theme}`)
      yield* Effect.promise(() => page.keyboard.press("d"))
    }
  })

layer(Dashboard.layer, { excludeTestServices: true })("axe finds nothing, in light and in dark", (it) => {
  it.effect("on any screen", () =>
    Effect.gen(function* () {
      const page = yield* openScreen("overview")
      for (const screen of screens) {
        yield* visit(page, { ...range, screen })
        yield* untilLoaded(page)
        yield* expectNone(page, screen)
      }
    })
  )

  it.effect("on the login, on an empty screen, in a table and in the list of shortcuts", () =>
    Effect.gen(function* () {
      const stranger = yield* newPage()
      yield* visit(stranger)
      yield* Effect.promise(() => stranger.getByRole("heading", { name: "Log in to Clicks" }).waitFor())
      assert.deepStrictEqual(yield* findings(stranger), [], "login")
      const page = yield* openScreen("overview")
      yield* Effect.promise(() => page.getByRole("button", { name: "Table" }).click())
      yield* expectNone(page, "table")
      yield* Effect.promise(() => page.keyboard.press("?"))
      yield* expectNone(page, "shortcuts")
      yield* visit(page, { ...range, screen: "overview", product_id: "p-9" })
      yield* untilLoaded(page)
      yield* expectNone(page, "empty")
    })
  )

  it.effect("on a screen that is loading, has failed or is forbidden", () =>
    Effect.gen(function* () {
      const page = yield* openScreen("overview")
      const answers: ReadonlyArray<readonly [string, object | undefined]> = [
        [".skeleton", undefined],
        [".problem", { status: 500, json: { error: "Failed to count clicks" } }],
        [".problem", { status: 403, json: { error: "Requires the role reader or admin" } }]
      ]
      for (const [shown, answer] of answers) {
        for (const screen of ["overview", "products", "visitors", "funnel"]) {
          yield* Effect.promise(async () => {
            await page.unrouteAll()
            await page.route("**/api/analytics/**", (route) => (answer ? route.fulfill(answer) : undefined))
          })
          yield* visit(page, { ...range, screen, product_id: JSON.stringify(answer ?? "loading") })
          yield* Effect.promise(() => page.locator(shown).first().waitFor())
          yield* expectNone(page, `${screen}, ${shown}`)
        }
      }
    })
  )
})
