import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestBrowser } from "../../../test/browser.ts"
import { listening } from "../../browser/test/Front.ts"
import { Dashboard, openScreen } from "./Dashboard.ts"

layer(Dashboard.layer, { excludeTestServices: true })("the Live screen", (it) => {
  it.effect("shows a click from a page of another origin that only contains the snippet", () =>
    Effect.gen(function* () {
      const { url } = yield* Dashboard
      const port = yield* listening((_, response) => {
        response
          .writeHead(200, { "content-type": "text/html" })
          .end(
            `<!doctype html><title>Shop</title><script src="${url}/clicks.v1.js" defer></script><button data-click="compare" data-product="from-shop" data-store="s-shop">Compare</button>`
          )
      })
      const live = yield* openScreen("live")
      yield* Effect.promise(() => live.getByText("Connected").waitFor())
      const visitor = yield* TestBrowser.visitor()
      yield* Effect.promise(async () => {
        const page = await visitor.newPage()
        await page.goto(`http://shop.test:${port}`)
        const row = live.getByRole("row").filter({ hasText: "from-shop" })
        const shown = row.waitFor()
        const begin = performance.now()
        await page.click("button")
        await shown
        console.log(`A click was on the Live screen after ${Math.round(performance.now() - begin)} ms`)
        const cells = await row.getByRole("cell").allTextContents()
        assert.includeMembers(cells, ["Compare", "from-shop", "s-shop", "web"])
      })
    })
  )
})
