import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { putPayload } from "@clicks/core/stores/putPayload"
import { Stores } from "@clicks/core/stores/Stores"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import * as StorePayloadsSql from "../../../sql-adapter/src/stores/StorePayloadsSql.ts"
import * as StoresSql from "../../../sql-adapter/src/stores/StoresSql.ts"
import * as TestDatabase from "../../../sql-adapter/test/TestDatabase.ts"
import { clicks, Folder, folderLayer } from "../clicks.ts"

const menu = [
  {
    product_id: "p-1",
    name: "Blue Dream 3.5 g, premium indoor flower from the high desert",
    brand: "Green Leaf Cultivators",
    category: "Flower",
    price: 34.5,
    thc: 22.4,
    in_stock: true,
    url: "https://shop.example/p-1",
    strain: "Hybrid"
  },
  {
    product_id: "p-2",
    name: "Gelato",
    brand: "Sweet",
    category: "Vape",
    price: 45,
    thc: 80.25,
    in_stock: false
  },
  { product_id: "p-3", name: "\u001b[31mGummies", category: "Edible", price: 12, in_stock: true }
]

const put = (store: string, value: unknown) =>
  clicks(["payloads", "put", store, "-"], { input: JSON.stringify(value) })

// To start the command takes a third of a second, so tests prepare their data without it.
const given = (store: string) => putPayload(store, { products: menu })

const run = (...args: ReadonlyArray<string>) => clicks(args)
const json = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
  const { code, stderr, stdout } = yield* run(...args, "--json")
  assert.strictEqual(code, 0, stderr)
  return JSON.parse(stdout) as Readonly<Record<string, unknown>>
})

const database = Layer.merge(StoresSql.layer, StorePayloadsSql.layer).pipe(
  Layer.provideMerge(TestDatabase.layer)
)

layer(Layer.merge(database, folderLayer), { excludeTestServices: true })(
  "clicks payloads and clicks stores",
  (it) => {
    it.effect("put stores products from standard input, gzipped or not, and reports rejected ones", () =>
      Effect.gen(function* () {
        const whole = yield* put("whole", menu)
        assert.deepStrictEqual(whole, { code: 0, stdout: "", stderr: "Store whole now has 3 products\n" })
        const partly = yield* put("partly", { products: [...menu, 42], fetched_at: "2026-11-20T10:00:00Z" })
        assert.strictEqual(partly.code, 3)
        assert.include(partly.stderr, "Rejected: 1\n  entry 3: a product must be an object\n")
        const packed = yield* clicks(["payloads", "put", "packed", "-", "--json"], {
          input: gzipSync(JSON.stringify(menu))
        })
        assert.deepInclude(JSON.parse(packed.stdout), {
          store_id: "packed",
          total: 3,
          rejected: 0,
          errors: []
        })
        const page = yield* json("payloads", "query", "partly")
        assert.deepInclude(page, { fetched_at: "2026-11-20T10:00:00.000Z", total: 3, limit: 100, offset: 0 })
      })
    )

    it.effect("put reads a file; an invalid file is reported in one line and the old products are kept", () =>
      Effect.gen(function* () {
        const { path } = yield* Folder
        const file = join(path, "menu.json")
        writeFileSync(file, JSON.stringify(menu))
        assert.strictEqual((yield* run("payloads", "put", "file", file)).code, 0)
        for (const [text, message] of [
          ["{", "clicks: menu.json is not JSON\n"],
          ["[1]", "clicks: products contains no valid product; entry 0: a product must be an object\n"]
        ] as const) {
          writeFileSync(file, text)
          const { code, stderr } = yield* run("payloads", "put", "file", "menu.json")
          assert.deepStrictEqual([code, stderr], [1, message])
        }
        writeFileSync(file, gzipSync(JSON.stringify(menu)).subarray(0, -9))
        const cut = yield* run("payloads", "put", "file", "menu.json")
        assert.match(cut.stderr, /^clicks: menu\.json: its gzip data is damaged or cut off \(.+\)\n$/)
        const missing = yield* run("payloads", "put", "file", "nowhere.json")
        assert.deepStrictEqual(
          [missing.code, missing.stderr],
          [1, "clicks: nowhere.json cannot be read: no such file or directory\n"]
        )
        assert.propertyVal(yield* json("payloads", "query", "file"), "total", 3)
      })
    )

    it.effect("query prints a table without control characters", () =>
      Effect.gen(function* () {
        yield* given("table")
        const { code, stderr, stdout } = yield* run("payloads", "query", "table")
        assert.strictEqual(code, 0)
        assert.match(stderr, /^3 of 3 products, fetched \d{4}-\d\d-\d\d \d\d:\d\dZ\n$/)
        assert.include(stdout, "45.00")
        assert.include(stdout, "␛[31mGummies")
      })
    )

    it.effect("query applies its filters, and names invalid ones", () =>
      Effect.gen(function* () {
        yield* given("filter")
        const args = [
          "--brand",
          "Sweet",
          "--brand",
          "Green Leaf Cultivators",
          "--price-min",
          "40",
          "--sort",
          "price"
        ]
        const page = yield* json("payloads", "query", "filter", ...args)
        assert.deepInclude(page, { total: 1 })
        assert.deepStrictEqual(page["products"], [{ url: null, ...menu[1] }])
        for (const [option, value, message] of [
          ["--price-min", "cheap", '--price-min must be a number, such as 12.5; it is "cheap"'],
          ["--limit", "0", '--limit must be a whole number, from 1 to 1000; it is "0"']
        ] as const) {
          const { code, stderr } = yield* run("payloads", "query", "filter", option, value)
          assert.deepStrictEqual([code, stderr], [2, `clicks: ${message}\n`])
        }
        const unknown = yield* run("payloads", "query", "unknown")
        assert.deepStrictEqual([unknown.code, unknown.stderr], [1, "clicks: There is no store unknown\n"])
      })
    )

    it.effect("aggregate groups by category, or by brand", () =>
      Effect.gen(function* () {
        yield* given("groups")
        const { stderr, stdout } = yield* run("payloads", "aggregate", "groups", "--price-max", "40")
        assert.strictEqual(stderr, "2 groups of 2 products\n")
        assert.match(
          stdout,
          /^category +count +in stock +price +avg +median( +thc +avg thc)?\nEdible +1 +1 +12\.00 /
        )
        const byBrand = yield* json("payloads", "aggregate", "groups", "--group-by", "brand")
        assert.deepInclude(byBrand, { group_by: "brand", total: 3 })
      })
    )

    it.effect("list prints stores, also by state; remove deletes a store with its products", () =>
      Effect.gen(function* () {
        yield* given("gone")
        const listed = yield* json("stores", "list", "--limit", "1000")
        assert.include(JSON.stringify(listed), '"id":"gone"')
        assert.propertyVal(yield* json("stores", "list", "--state", "az"), "total", 0)
        assert.match((yield* run("stores", "list")).stdout, /^gone .* \d{4}-\d\d-\d\d \d\d:\d\dZ$/m)
        const removed = yield* run("stores", "remove", "gone")
        assert.deepStrictEqual([removed.code, removed.stderr], [0, "Removed store gone and its products\n"])
        const again = yield* run("stores", "remove", "gone")
        assert.deepStrictEqual([again.code, again.stderr], [1, "clicks: There is no store gone\n"])
        assert.isTrue(Option.isNone(yield* Stores.use((stores) => stores.get("gone"))))
      })
    )
  }
)
