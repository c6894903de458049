import { createHash } from "node:crypto"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as TrackingScript from "../../src/clicks/recording/TrackingScript.ts"
import { testServer } from "../TestServer.ts"

const folder = mkdtempSync(join(tmpdir(), "clicks-script-"))
const written = (name: string, content: string) => {
  const file = join(folder, name)
  writeFileSync(file, content)
  return file
}
const content = `console.log("${"click ".repeat(100)}")`
const file = written("clicks.v1.js", content)
const { integrity, versionedPath } = TrackingScript.read(file)

describe("the tracking script", () => {
  it.live("is cached for five minutes, or forever at its versioned path, for all origins", () =>
    Effect.gen(function* () {
      const server = yield* testServer({ options: { trackingScripts: [file] } })
      assert.match(versionedPath, /^\/clicks\.v1\.[0-9a-f]{12}\.js$/)
      assert.strictEqual(integrity, `sha384-${createHash("sha384").update(content).digest("base64")}`)
      for (const [path, caching] of [
        ["/clicks.v1.js", "public, max-age=300"],
        [versionedPath, "public, max-age=31536000, immutable"]
      ] as const) {
        for (const encoding of ["br", "gzip", "identity"]) {
          const { headers, text } = yield* server.ask(path, { headers: { "accept-encoding": encoding } })
          assert.strictEqual(text, content)
          assert.strictEqual(headers.get("content-encoding") ?? "identity", encoding)
          assert.strictEqual(headers.get("content-type"), "text/javascript; charset=utf-8")
          assert.strictEqual(headers.get("cache-control"), caching)
          assert.strictEqual(headers.get("access-control-allow-origin"), "*")
          assert.strictEqual(headers.get("cross-origin-resource-policy"), "cross-origin")
          assert.strictEqual(headers.get("vary"), "accept-encoding")
          const etag = headers.get("etag") ?? ""
          const again = yield* server.ask(path, { headers: { "if-none-match": etag } })
          assert.deepStrictEqual([again.status, again.text], [304, ""])
        }
        assert.strictEqual((yield* server.ask(path, { method: "POST" })).status, 405)
      }
      assert.strictEqual((yield* server.ask("/clicks.v1.0123456789ab.js")).status, 404)
    })
  )

  it.live("stays available at the path of an earlier version, for pages that accept only its content", () =>
    Effect.gen(function* () {
      const old = written("0.1.0.js", "/* old */")
      // The newest version was released too.
      const released = [old, written("0.2.0.js", content)]
      const server = yield* testServer({ options: { trackingScripts: [file, ...released] } })
      for (const [path, text] of [
        ["/clicks.v1.js", content],
        [versionedPath, content],
        [TrackingScript.read(old).versionedPath, "/* old */"]
      ] as const) {
        assert.strictEqual((yield* server.ask(path)).text, text)
      }
    })
  )
})
