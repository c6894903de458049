import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { assert, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { build } from "esbuild"
import { openApiText } from "../src/docs.ts"
import { assertFits, openApi } from "./conformance.ts"
import { testServer } from "./TestServer.ts"

interface Parameter {
  readonly name: string
  readonly schema: { readonly type?: string; readonly enum?: ReadonlyArray<string> }
}

describe("openapi.json", () => {
  // To rewrite it: npx vitest run --config vitest.workspace.ts --project http -t openapi.json -u
  it("matches the declaration", async () => {
    await expect(openApiText()).toMatchFileSnapshot("../openapi.json")
  })

  it("has the version of the package", async () => {
    const manifest = await readFile(new URL("../package.json", import.meta.url), "utf8")
    assert.strictEqual(JSON.parse(openApiText()).info.version, JSON.parse(manifest).version)
  })

  it.live("is served exactly as committed", () =>
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

  it("documents the types and values of parameters", () => {
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

  it("writes the names of headers and schemes as usual", () => {
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
  it.live("contains its script and may load nothing from other hosts", () =>
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
  it.live("is compressed with gzip and revalidated with an ETag", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const asked = (headers: Record<string, string>) =>
        Effect.promise(() => fetch(`${server.url}/docs`, { headers }))
      const plain = yield* asked({ "accept-encoding": "identity" })
      assert.isNull(plain.headers.get("content-encoding"))
      const text = yield* Effect.promise(() => plain.text())
      for (const encoding of ["br;q=1.0, gzip;q=0, *;q=0.5", "br", ""]) {
        const answer = yield* asked({ "accept-encoding": encoding })
        assert.isNull(answer.headers.get("content-encoding"), encoding)
      }
      const answer = yield* asked({ "accept-encoding": "br, gzip, *;q=0" })
      assert.strictEqual(answer.headers.get("content-encoding"), "gzip")
      assert.strictEqual(answer.headers.get("vary"), "accept-encoding")
      assert.isBelow(Number(answer.headers.get("content-length")), text.length / 3)
      assert.isTrue((yield* Effect.promise(() => answer.text())) === text, "the same page")
      const again = yield* asked({
        "accept-encoding": "gzip",
        "if-none-match": answer.headers.get("etag") ?? ""
      })
      assert.deepStrictEqual([again.status, yield* Effect.promise(() => again.text())], [304, ""])
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

  it("has no example of an Idempotency-Key", () => {
    const { paths } = JSON.parse(openApiText())
    for (const path of ["/api/events/product-click", "/api/events/product-clicks"]) {
      const [header] = paths[path].post.parameters
      assert.strictEqual(header.name, "Idempotency-Key")
      assert.notProperty(header, "example")
      assert.notProperty(header.schema, "examples")
    }
  })
})

describe("@clicks/http/client", () => {
  it("bundles for a browser with effect and core alone", async () => {
    const directory = fileURLToPath(new URL("..", import.meta.url))
    const { metafile } = await build({
      absWorkingDir: directory,
      stdin: {
        contents: 'export { connect } from "./src/client.ts"',
        resolveDir: directory,
        loader: "ts"
      },
      bundle: true,
      platform: "browser",
      format: "esm",
      metafile: true,
      write: false
    })
    const bundled = Object.values(metafile.outputs).flatMap(({ inputs }) =>
      Object.keys(inputs).filter((input) => (inputs[input]?.bytesInOutput ?? 0) > 0)
    )
    assert.isAbove(bundled.length, 100)
    const foreign = bundled.filter(
      (input) => !/^(src\/|<stdin>|\.\.\/core\/src\/)|\/node_modules\/effect\//.test(input)
    )
    assert.deepStrictEqual(foreign, [])
  })
})
