import { fileURLToPath } from "node:url"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { build } from "esbuild"
import { TestBrowser } from "../../../test/browser.ts"
import { shop, visit } from "./Shop.ts"

const bundled = Effect.promise(async () => {
  const entry = fileURLToPath(new URL("../../../examples/src/react-shop.tsx", import.meta.url))
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: "esm",
    jsx: "automatic",
    write: false,
    define: { "process.env.NODE_ENV": '"production"' }
  })
  return outputFiles[0]?.text ?? ""
})

layer(TestBrowser.layer, { excludeTestServices: true })("the module", (it) => {
  it.effect("records the clicks and views of the React example", () =>
    Effect.gen(function* () {
      const code = yield* bundled
      const module = (clicks: string) => code.replaceAll("https://clicks.example", clicks)
      const { products, stored, url } = yield* shop({ "/": { module, body: '<div id="root"></div>' } })
      const page = yield* visit(url)
      yield* products(1)
      yield* Effect.promise(async () => {
        await page.click("button")
        await page.click("a")
      })
      yield* products(3)
      const found = (yield* stored).map(({ action, product_id, source, store_id }) => [
        action,
        product_id,
        store_id,
        source
      ])
      assert.sameDeepMembers(
        found,
        ["compare", "open_product", "view"].map((action) => [action, "p-1001", "s-17", "shop"])
      )
    })
  )
})
