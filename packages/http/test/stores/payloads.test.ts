import { gzipSync } from "node:zlib"
import { ProductPage } from "@clicks/core/stores/ProductQuery"
import { StorePayloads } from "@clicks/core/stores/StorePayloads"
import { Stores } from "@clicks/core/stores/Stores"
import { PortError } from "@clicks/core/values/PortError"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { assertFits } from "../conformance.ts"
import { type Request, type TestServer, testServer } from "../TestServer.ts"

const path = (id: string) => `/api/payloads/store/${encodeURIComponent(id)}`

const sending = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): Request => ({
  method: "PUT",
  headers: { "Content-Type": "application/json", ...headers },
  body
})
const putting = (body: unknown, headers: Record<string, string> = {}) =>
  sending(JSON.stringify(body), headers)

const menu: ReadonlyArray<Readonly<Record<string, unknown>>> = [
  {
    product_id: "p-1",
    name: "Blue Dream",
    brand: "Leaf",
    category: "Flower",
    price: 30,
    thc: 20,
    in_stock: true,
    url: "/1"
  },
  {
    product_id: "p-2",
    name: "100% Gelato",
    brand: "Leaf",
    category: "Vape",
    price: 45.5,
    thc: 80,
    in_stock: false
  },
  {
    product_id: "p-3",
    name: "Gummies_A",
    brand: "Sweet",
    category: "Edible",
    price: 12,
    in_stock: true,
    weights: [1, 2]
  },
  {
    product_id: "p-4",
    name: "Blue Gummies",
    brand: "Sweet",
    category: "Edible",
    price: 18,
    thc: 5,
    in_stock: true
  }
]

const withMenu = Effect.fnUntraced(function* (id = "s-1") {
  const server = yield* testServer()
  assert.strictEqual((yield* server.askAdmin(path(id), putting({ products: menu }))).status, 200)
  return server
})

const asked = Effect.fnUntraced(function* (server: TestServer, parameters: string) {
  const { json, status } = yield* server.askAdmin(`${path("s-1")}/query?${parameters}`)
  assert.strictEqual(status, 200, parameters)
  const { products, ...page } = Schema.decodeUnknownSync(ProductPage)(json)
  return { ...page, ids: products.map(({ product_id }) => product_id).join(" ") }
})

describe("PUT /api/payloads/store/{id}", () => {
  it.live("replaces the products and reports the rejected ones", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const body = { products: [...menu, 42, { name: "no id" }], fetched_at: "2026-11-20T11:00:00+01:00" }
      assertFits({ products: menu }, "components", "schemas", "StorePayloadInput")
      const { json, status } = yield* server.askAdmin(path("s-1"), putting(body))
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(json, {
        store_id: "s-1",
        fetched_at: "2026-11-20T10:00:00.000Z",
        total: 4,
        rejected: 2,
        errors: [
          { index: 4, error: "a product must be an object" },
          { index: 5, error: "product_id is required and must be a non-empty string" }
        ]
      })
      const page = yield* server.askAdmin(`${path("s-1")}/query`)
      assert.deepStrictEqual(page.json, {
        store_id: "s-1",
        fetched_at: "2026-11-20T10:00:00.000Z",
        products: menu.map((product) => ({ thc: null, url: null, ...product })),
        total: 4,
        limit: 100,
        offset: 0
      })
      yield* server.askAdmin(path("s-1"), putting({ products: [{ product_id: "only" }] }))
      assert.deepInclude(yield* asked(server, ""), { ids: "only", total: 1 })
    })
  )

  it.live("accepts gzip, and no content type", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const packed = gzipSync(JSON.stringify({ products: menu }))
      const answer = yield* server.askAdmin(path("s-1"), sending(packed, { "Content-Encoding": "gzip" }))
      assert.propertyVal(answer.json, "total", 4)
      const bytes = new TextEncoder().encode('{"products":[]}')
      const untyped = yield* server.askAdmin(path("s-1"), { method: "PUT", body: bytes })
      assert.propertyVal(untyped.json, "total", 0)
    })
  )

  it.live("accepts every store id that can be written in a URL", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      for (const id of ["a/b", "Zoë 😀", "%", "?#", "x".repeat(255)]) {
        const { json, status } = yield* server.askAdmin(path(id), putting({ products: menu }))
        assert.strictEqual(status, 200, id)
        assert.propertyVal(json, "store_id", id)
        assert.propertyVal((yield* server.askAdmin(`${path(id)}/query`)).json, "total", 4)
      }
      for (const [id, error] of [
        ["x".repeat(256), "id: is longer than 255 characters"],
        ["a\0b", "id: contains a NUL character"]
      ] as const) {
        for (const answer of [
          yield* server.askAdmin(path(id), putting({ products: [] })),
          yield* server.askAdmin(`${path(id)}/query`)
        ]) {
          assert.strictEqual(answer.status, 400)
          assert.deepStrictEqual(answer.json, { error })
        }
      }
    })
  )

  it.live("rejects an invalid body and keeps the old products", () =>
    Effect.gen(function* () {
      const server = yield* withMenu()
      const cases: ReadonlyArray<readonly [Request, number, string]> = [
        [sending(""), 400, "The body is not JSON"],
        [sending("{"), 400, "The body is not JSON"],
        [sending(new Uint8Array([0x22, 0xff, 0x22])), 400, "The body is not JSON"],
        [sending("[]"), 400, "The body must be a JSON object"],
        [putting({}), 400, "products is required and must be an array"],
        [
          putting({ products: [1] }),
          400,
          "products contains no valid product; entry 0: a product must be an object"
        ],
        [
          putting({ products: [], fetched_at: 5 }),
          400,
          "fetched_at must be an ISO 8601 date-time, such as 2026-11-20T10:00:00Z"
        ],
        [
          sending("x", { "Content-Type": "text/csv" }),
          415,
          "Unsupported content type. Send the body as application/json"
        ],
        [sending("x", { "Content-Encoding": "br" }), 415, "Unsupported content encoding. Use gzip"],
        [sending("x", { "Content-Encoding": "gzip" }), 400, "The body is not valid gzip data"]
      ]
      for (const [init, status, error] of cases) {
        const answer = yield* server.askAdmin(path("s-1"), init)
        assert.deepStrictEqual([answer.status, answer.json], [status, { error }])
      }
      assert.propertyVal(yield* asked(server, ""), "total", 4)
    })
  )

  it.live("accepts up to 32 MiB, compressed and decompressed", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const product = (index: number) => ({ product_id: `p-${index}`, description: "x".repeat(1000) })
      const products = Array.from({ length: 5000 }, (_, index) => product(index))
      const large = yield* server.askAdmin(path("s-1"), putting({ products }))
      assert.propertyVal(large.json, "total", 5000)
      const many = Array.from({ length: 100_001 }, (_, product_id) => ({ product_id }))
      const tooMany = yield* server.askAdmin(path("s-1"), putting({ products: many }))
      assert.deepStrictEqual(tooMany.json, { error: "products has 100001 products; the limit is 100000" })
      const huge = new Uint8Array(32 * 2 ** 20 + 1).fill(0x20)
      for (const init of [sending(huge), sending(gzipSync(huge), { "Content-Encoding": "gzip" })]) {
        const answer = yield* server.askAdmin(path("s-1"), init)
        assert.deepStrictEqual(
          [answer.status, answer.json],
          [413, { error: "Body too large: the limit is 33554432 bytes" }]
        )
      }
      assert.propertyVal(yield* asked(server, "limit=1"), "total", 5000)
    })
  )
})

describe("GET /api/payloads/store/{id}/query", () => {
  it.live.each([
    ["", "p-1 p-2 p-3 p-4"],
    ["brand=Leaf", "p-1 p-2"],
    ["brand=leaf", ""],
    ["category=Flower&category=Vape", "p-1 p-2"],
    ["category=Flower&brand=Sweet", ""],
    ["price_min=18&price_max=30", "p-1 p-4"],
    ["thc_min=5", "p-1 p-2 p-4"],
    ["thc_max=20", "p-1 p-4"],
    ["in_stock=true", "p-1 p-3 p-4"],
    ["in_stock=false", "p-2"],
    ["search=blue", "p-1 p-4"],
    ["search=SWEET", "p-3 p-4"],
    ["search=%25", "p-2"],
    ["search=_", "p-3"],
    ["sort=price", "p-3 p-4 p-1 p-2"],
    ["sort=price&order=desc", "p-2 p-1 p-4 p-3"],
    ["sort=thc", "p-4 p-1 p-2 p-3"],
    ["sort=thc&order=desc", "p-2 p-1 p-4 p-3"],
    ["sort=name", "p-2 p-1 p-4 p-3"],
    ["sort=brand&order=desc", "p-3 p-4 p-1 p-2"],
    ["sort=category", "p-3 p-4 p-1 p-2"],
    ["order=desc", "p-4 p-3 p-2 p-1"],
    ["brand=&limit=&sort=&unknown=1", "p-1 p-2 p-3 p-4"]
  ] as const)("?%s finds %s", ([parameters, ids]) =>
    Effect.gen(function* () {
      const server = yield* withMenu()
      const count = ids === "" ? 0 : ids.split(" ").length
      assert.deepInclude(yield* asked(server, parameters), { ids, total: count, limit: 100, offset: 0 })
    })
  )

  it.live("pages, with the total of all matches", () =>
    Effect.gen(function* () {
      const server = yield* withMenu()
      const page = yield* asked(server, "sort=price&limit=2&offset=1")
      assert.deepInclude(page, { ids: "p-4 p-1", total: 4, limit: 2, offset: 1 })
      assert.deepInclude(yield* asked(server, "offset=99"), { ids: "", total: 4 })
    })
  )

  it.live("returns 404 for an unknown store and 400 for invalid parameters", () =>
    Effect.gen(function* () {
      const server = yield* withMenu()
      for (const question of ["query", "aggregate?group_by=brand"]) {
        const answer = yield* server.askAdmin(`${path("unknown")}/${question}`)
        assert.deepStrictEqual([answer.status, answer.json], [404, { error: "There is no store unknown" }])
      }
      for (const [question, error] of [
        ["query?limit=0", 'limit must be a whole number, from 1 to 1000; it is "0"'],
        ["query?limit=1001", 'limit must be a whole number, from 1 to 1000; it is "1001"'],
        ["query?limit=1&limit=2", "limit must be given only once"],
        ["query?offset=-1", 'offset must be a whole number, 0 or more; it is "-1"'],
        ["query?price_min=cheap", 'price_min must be a number, such as 12.5; it is "cheap"'],
        ["query?thc_max=1e9", 'thc_max must be a number, such as 12.5; it is "1e9"'],
        ["query?in_stock=maybe", 'in_stock must be one of: true, false; it is "maybe"'],
        ["query?sort=colour", 'sort must be one of: name, price, thc, brand, category; it is "colour"'],
        ["query?order=random", 'order must be one of: asc, desc; it is "random"'],
        ["aggregate", "group_by is required and must be one of: brand, category"],
        ["aggregate?group_by=name", 'group_by must be one of: brand, category; it is "name"'],
        ["aggregate?group_by=brand&price_max=x", 'price_max must be a number, such as 12.5; it is "x"']
      ]) {
        const answer = yield* server.askAdmin(`${path("s-1")}/${question}`)
        assert.deepStrictEqual([answer.status, answer.json], [400, { error }])
      }
    })
  )
})

describe("GET /api/payloads/store/{id}/aggregate", () => {
  it.live("groups the matching products, largest group first", () =>
    Effect.gen(function* () {
      const server = yield* withMenu()
      const { json } = yield* server.askAdmin(`${path("s-1")}/aggregate?group_by=category&price_max=40`)
      assert.deepStrictEqual(json, {
        store_id: "s-1",
        group_by: "category",
        groups: [
          {
            key: "Edible",
            count: 2,
            in_stock: 2,
            price_min: 12,
            price_max: 18,
            price_avg: 15,
            price_median: 15,
            thc_min: 5,
            thc_max: 5,
            thc_avg: 5
          },
          {
            key: "Flower",
            count: 1,
            in_stock: 1,
            price_min: 30,
            price_max: 30,
            price_avg: 30,
            price_median: 30,
            thc_min: 20,
            thc_max: 20,
            thc_avg: 20
          }
        ],
        total: 3
      })
    })
  )
})

describe("access to payloads", () => {
  it.live("lets readers query and admins put", () =>
    Effect.gen(function* () {
      const server = yield* withMenu()
      const reader = { "X-API-Key": yield* server.key("reader") }
      const questions = ["query", "aggregate?group_by=brand"].map((question) => `${path("s-1")}/${question}`)
      for (const question of questions) {
        assert.strictEqual((yield* server.ask(question, { headers: reader })).status, 200)
        const anonymous = yield* server.ask(question)
        assert.deepStrictEqual(
          [anonymous.status, anonymous.json],
          [401, { error: "Authentication required" }]
        )
      }
      const refused = yield* server.ask(path("s-1"), putting({ products: [] }, reader))
      assert.strictEqual(refused.status, 403)
      assert.hasAllKeys(refused.json, ["error"])
      assert.strictEqual((yield* server.ask(path("s-1"), putting({ products: [] }))).status, 401)
      assert.propertyVal(yield* asked(server, ""), "total", 4)
    })
  )

  it.live("returns 405 for other methods", () =>
    Effect.gen(function* () {
      const server = yield* withMenu()
      assert.strictEqual((yield* server.askAdmin(path("s-1"))).status, 405)
      assert.strictEqual((yield* server.askAdmin(path("s-1"), { method: "DELETE" })).status, 405)
      assert.strictEqual((yield* server.askAdmin(`${path("s-1")}/query`, { method: "POST" })).status, 405)
    })
  )
})

describe("when the database is down", () => {
  const away = Effect.fail(
    new PortError({ port: "store payloads", operation: "test", cause: new Error("secret") })
  )
  const stores = Layer.merge(
    Layer.succeed(StorePayloads, {
      replace: () => away,
      query: () => away,
      aggregate: () => away
    }),
    Layer.succeed(Stores, {
      save: () =>
        Effect.fail(new PortError({ port: "stores", operation: "test", cause: new Error("secret") })),
      get: () => Effect.die("unused"),
      list: () => Effect.die("unused"),
      remove: () => Effect.die("unused")
    })
  )

  it.live("returns 500 without internals", () =>
    Effect.gen(function* () {
      const server = yield* testServer({ stores })
      for (const [answer, error] of [
        [
          yield* server.askAdmin(path("s"), putting({ products: [] })),
          "Failed to replace a store's products"
        ],
        [yield* server.askAdmin(`${path("s")}/query`), "Failed to query a store's products"],
        [
          yield* server.askAdmin(`${path("s")}/aggregate?group_by=brand`),
          "Failed to aggregate a store's products"
        ]
      ] as const) {
        assert.deepStrictEqual([answer.status, answer.json], [500, { error }])
        assert.match(server.log.join("\n"), new RegExp(`ERROR ${error}`))
      }
    })
  )
})
