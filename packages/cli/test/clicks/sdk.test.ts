import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { testServer } from "../../../http/test/TestServer.ts"
import { trackingScripts } from "../../src/service/builtFiles.ts"
import { bare, folderLayer } from "../clicks.ts"

const shop = "https://shop.example"

const sdk = (url: string, ...args: ReadonlyArray<string>) =>
  bare(["sdk", "--shop", shop, "--url", url, ...args])

layer(folderLayer, { excludeTestServices: true })("clicks sdk", (it) => {
  it.effect("prints a snippet whose script the service serves, and confirms that the shop may use it", () =>
    Effect.gen(function* () {
      const server = yield* testServer({ options: { trackingScripts: trackingScripts() } })
      const { code, stderr, stdout } = yield* sdk(server.url)
      assert.deepStrictEqual(
        [code, stderr.split("\n").at(-2)],
        [0, "Pages of https://shop.example may record clicks"]
      )
      const [, src = "", integrity] =
        /^<script src="([^"]+)" integrity="(sha384-[^"]+)" crossorigin="anonymous" defer><\/script>\n$/.exec(
          stdout
        ) ?? []
      const script = yield* Effect.promise(async () => (await fetch(src)).arrayBuffer())
      const digest = yield* Effect.promise(() => crypto.subtle.digest("SHA-384", script))
      assert.strictEqual(`sha384-${Buffer.from(digest).toString("base64")}`, integrity)
    })
  )

  it.effect("explains what to change if the shop may not read the responses", () =>
    Effect.gen(function* () {
      const options = { trackingScripts: trackingScripts(), corsOrigins: ["https://other.example"] }
      const server = yield* testServer({ options })
      const { code, stderr, stdout } = yield* sdk(server.url, "--json")
      const problem = `Pages of ${shop} may not read the responses of ${server.url}. Add ${shop} to CLICKS_CORS_ORIGINS of the service and restart it`
      assert.deepStrictEqual([code, stderr], [1, `clicks: ${problem}\n`])
      assert.deepInclude(JSON.parse(stdout), { shop, problem })
    })
  )

  it.effect("reports a service that has another version, does not respond or is not secure", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const other = yield* sdk(server.url)
      assert.match(other.stderr, /does not serve this version of the script \(404\)/)
      const away = yield* sdk("http://127.0.0.1:9")
      assert.match(away.stderr, /does not respond, so nothing was checked/)
      const insecure = yield* sdk("http://clicks.example")
      assert.match(insecure.stderr, /Serve Clicks over https/)
      for (const { code, stdout } of [other, away, insecure]) {
        assert.deepStrictEqual([code, stdout.slice(0, 12)], [1, "<script src="])
      }
      const wrong = yield* bare(["sdk", "--shop", "https://shop.example/path"])
      assert.strictEqual(wrong.code, 2)
      assert.match(wrong.stderr, /Expected an origin such as https:\/\/shop.example/)
    })
  )
})
