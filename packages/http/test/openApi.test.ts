import { fileURLToPath } from "node:url"
import { assert, describe, expect, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { build } from "esbuild"
import { Api } from "../src/api.ts"
import { openApiText } from "../src/docs.ts"
import { BadRequest, RecordingTooLarge, Unauthorized } from "../src/errors.ts"
import { assertFits, openApi } from "./conformance.ts"
import { adminKey, click, testServer } from "./TestServer.ts"

interface Parameter {
  readonly name: string
  readonly schema: { readonly type?: string; readonly enum?: ReadonlyArray<string> }
}

describe("openapi.json", () => {
  // To write it anew: npx vitest run --config vitest.workspace.ts --project http -t openapi.json -u
  it("is what the declaration says", async () => {
    await expect(openApiText()).toMatchFileSnapshot("../openapi.json")
  })

  it.live("is served as it is committed", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const { headers, json, status } = yield* server.ask("/openapi.json")
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("content-type"), "application/json")
      assert.deepStrictEqual(json, openApi)
    })
  )

  it("has examples that fit their schemas", () => {
    const schemas = Object.entries(openApi.components.schemas)
    const examples = schemas.flatMap(([name, { examples = [] }]) =>
      examples.map((example) => ({ name, example }))
    )
    for (const { example, name } of examples) assertFits(example, "components", "schemas", name)
    assert.includeMembers(
      examples.map(({ name }) => name),
      ["ClickInput", "RecordedMany"]
    )
  })

  it("gives numbers and closed lists of values their type, in every operation", () => {
    const document = JSON.parse(openApiText())
    assert.deepInclude(document.servers[0], { url: "/" })
    const operations: ReadonlyArray<{ parameters?: ReadonlyArray<Parameter> }> = Object.values(
      document.paths
    ).flatMap((path) => Object.values(path as object))
    const parameters = operations.flatMap(({ parameters = [] }) => parameters)
    const schemasOf = (...names: ReadonlyArray<string>) =>
      parameters.filter(({ name }) => names.includes(name)).map(({ schema }) => schema)
    assert.isAbove(schemasOf("limit", "offset").length, 6)
    for (const { type } of schemasOf("limit", "offset")) assert.strictEqual(type, "integer")
    for (const name of ["action", "format", "state", "interval", "sort", "order"]) {
      assert.isNotEmpty(schemasOf(name))
      for (const schema of schemasOf(name)) assert.isNotEmpty(schema.enum ?? [], name)
    }
  })

  it("names the headers and the credentials as they are written", () => {
    const text = JSON.stringify(openApi)
    for (const word of ['"Idempotency-Key"', '"Click-Id"', '"Click-Receipt"', '"WWW-Authenticate"']) {
      assert.include(text, word)
    }
    assert.include(text, '"scheme":"bearer"')
    assert.include(text, '"name":"X-API-Key"')
    assert.notInclude(text, "Encoded")
  })
})

describe("the page at /docs", () => {
  it.live("carries its script and may load nothing from elsewhere", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const { headers, status, text } = yield* server.ask("/docs")
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8")
      assert.notMatch(text, /<(script|link|img|iframe)[^>]+(src|href)=/i)
      assert.include(text, "Record a click")
      assert.strictEqual(
        headers.get("content-security-policy"),
        "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
      )
    })
  )
})

describe("the page at /docs, for a browser", () => {
  it.live("is sent compressed, and not again while it is the same", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const asked = (headers: Record<string, string>) =>
        Effect.promise(() => fetch(`${server.url}/docs`, { headers }))
      const plain = yield* asked({ "accept-encoding": "identity" })
      assert.isNull(plain.headers.get("content-encoding"))
      const text = yield* Effect.promise(() => plain.text())
      for (const encoding of ["br", "gzip"]) {
        const answer = yield* asked({ "accept-encoding": `${encoding}, *;q=0` })
        assert.strictEqual(answer.headers.get("content-encoding"), encoding)
        assert.strictEqual(answer.headers.get("vary"), "accept-encoding")
        assert.isBelow(Number(answer.headers.get("content-length")), text.length / 3)
        assert.isTrue((yield* Effect.promise(() => answer.text())) === text, "the same page")
        const again = yield* asked({
          "accept-encoding": encoding,
          "if-none-match": answer.headers.get("etag") ?? ""
        })
        assert.deepStrictEqual([again.status, yield* Effect.promise(() => again.text())], [304, ""])
      }
    })
  )

  it.live("has an icon", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      for (const path of ["/favicon.ico", "/favicon.svg"]) {
        const { headers, status, text } = yield* server.ask(path)
        assert.deepStrictEqual([status, headers.get("content-type")], [200, "image/svg+xml"])
        assert.match(text, /^<svg /)
        assert.strictEqual((yield* server.ask(path, { method: "POST" })).status, 405)
      }
    })
  )

  it("sends no Idempotency-Key of its own", () => {
    const { paths } = JSON.parse(openApiText())
    for (const path of ["/api/events/product-click", "/api/events/product-clicks"]) {
      const [header] = paths[path].post.parameters
      assert.strictEqual(header.name, "Idempotency-Key")
      assert.notProperty(header, "example")
      assert.notProperty(header.schema, "examples")
    }
  })
})

describe("the typed client", () => {
  const clientOf = (baseUrl: string, token: string) =>
    HttpApiClient.make(Api, {
      baseUrl,
      transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(token))
    }).pipe(Effect.provide(FetchHttpClient.layer))

  it.live("records, lists and exports", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const { listing, recording } = yield* clientOf(server.url, adminKey)
      const sent = { ...click, action: "view" as const }
      const receipt = yield* recording.record({ headers: { "Idempotency-Key": "k-1" }, payload: sent })
      assert.deepStrictEqual(receipt.body, { status: "ok" })
      assert.strictEqual(receipt.headers["click-receipt"], "stored")
      const { body } = yield* recording.recordMany({ headers: {}, payload: [sent, sent] })
      assert.strictEqual(body.stored, 2)

      const page = yield* listing.list({ query: { limit: "1", product_id: "p-1" } })
      assert.strictEqual(page.total, 3)
      assert.instanceOf(page.events[0]?.occurred_at, Date)
      const events = yield* listing.export({ query: { format: "csv" } })
      const text = yield* events.pipe(Stream.decodeText, Stream.mkString)
      assert.strictEqual(text.trimEnd().split("\r\n").length, 4)
    })
  )

  it.live("knows the errors apart", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const admin = yield* clientOf(server.url, adminKey)
      const stranger = yield* clientOf(server.url, "nonsense")
      const badRequest = yield* Effect.flip(admin.listing.list({ query: { limit: "0" } }))
      const unauthorized = yield* Effect.flip(stranger.listing.list({ query: {} }))
      const refused = yield* Effect.flip(
        admin.recording.recordMany({
          headers: {},
          payload: Array.from({ length: 1_001 }, () => ({ ...click, action: "view" as const }))
        })
      )
      assert.instanceOf(badRequest, BadRequest)
      assert.instanceOf(unauthorized, Unauthorized)
      assert.instanceOf(refused, RecordingTooLarge)
    })
  )
})

describe("@clicks/http/api", () => {
  it("bundles for a browser with effect and core alone", async () => {
    const directory = fileURLToPath(new URL("..", import.meta.url))
    const { metafile } = await build({
      absWorkingDir: directory,
      stdin: {
        contents: 'export { Api } from "./src/api.ts"',
        resolveDir: directory,
        loader: "ts"
      },
      bundle: true,
      platform: "browser",
      format: "esm",
      metafile: true,
      write: false
    })
    const foreign = Object.keys(metafile.inputs).filter(
      (input) => !/^(src\/|<stdin>|\.\.\/core\/src\/)|\/node_modules\/effect\//.test(input)
    )
    assert.deepStrictEqual(foreign, [])
  })
})
