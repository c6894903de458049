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

/** The findings of axe by rule and element, of all rules or only of those that depend on the theme. */
const findings = (page: Page, rules: "all" | "of the theme" = "all") =>
  Effect.promise(async () => {
    if (await page.evaluate(() => window.axe === undefined)) await page.evaluate(axe.source)
    return page.evaluate(
      async (options) => {
        const { violations } = await window.axe.run(options)
        return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
      },
      rules === "all" ? {} : { runOnly: ["color-contrast"] }
    )
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

/** Expects no findings, in light and in dark. */
const expectNone = (page: Page, where: string) =>
  Effect.gen(function* () {
    for (const rules of ["all", "of the theme"] as const) {
      const theme = yield* Effect.promise(() =>
        page.evaluate(() => document.documentElement.dataset["theme"])
      )
      assert.deepStrictEqual(yield* findings(page, rules), [], `${where}, ${theme}`)
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

  it.effect("on any screen that is empty, is loading, has failed or is forbidden", () =>
    Effect.gen(function* () {
      const page = yield* openScreen("overview")
      const states: ReadonlyArray<readonly [state: string, shown: string, answer?: object]> = [
        ["empty", ".empty"],
        ["loading", ".skeleton, .state.connecting"],
        ["failed", ".problem, .state.lost", { status: 500, json: { error: "Failed to count clicks" } }],
        [
          "forbidden",
          ".problem, .state.lost",
          { status: 403, json: { error: "Requires the role reader or admin" } }
        ]
      ]
      for (const [state, shown, answer] of states) {
        if (state !== "empty") {
          yield* Effect.promise(() =>
            page.route(/\/(api\/(?!session)|readyz)/, (route) => (answer ? route.fulfill(answer) : undefined))
          )
        }
        yield* visit(page, { ...range, product_id: "p-9" })
        yield* Effect.promise(() => page.locator(".shell h1").waitFor())
        // Through the links, as users do. To load the page for each screen would take half of the test's time.
        for (const link of yield* Effect.promise(() => page.locator("nav a").all())) {
          yield* Effect.promise(async () => {
            await link.click()
            await page.locator(shown).first().waitFor()
          })
          yield* expectNone(page, `${yield* Effect.promise(() => page.title())}, ${state}`)
        }
        yield* Effect.promise(() => page.unrouteAll())
      }
    })
  )
})
