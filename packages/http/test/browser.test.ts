import { createServer } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Schedule } from "effect"
import { chromium, executable } from "./chromium.ts"
import { one, testServer } from "./TestServer.ts"

if (executable === undefined) {
  console.warn("The tests in a browser are skipped: there is no Chromium on the PATH of this machine")
}

/** A browser takes seconds to start on a machine that is busy. */
const limit = 60_000

/** A shop's page on an origin of its own. What its script returns arrives here. */
const shop = Effect.fnUntraced(function* (script: string, afterwards = "") {
  const result = yield* Deferred.make<unknown>()
  const page = `<!doctype html><title>Shop</title><script type="module">
    const run = async () => { ${script} }
    const result = await run().catch((error) => String(error))
    await fetch("/result", { method: "POST", body: JSON.stringify(result) })
    ${afterwards}
  </script>`
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk) => {
      body += chunk
    })
    request.on("end", () => {
      if (request.method === "POST") Effect.runSync(Deferred.succeed(result, JSON.parse(body)))
      response.setHeader("Content-Type", "text/html").end(page)
    })
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () => Effect.sync(() => server.close().closeAllConnections())
  )
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  return { url: `http://127.0.0.1:${port}`, result: Deferred.await(result) }
})

const clickOf = (product_id: string) =>
  `JSON.stringify({ product_id: "${product_id}", action: "view", source: "web" })`

describe.skipIf(executable === undefined)("a page in Chromium, of another origin", () => {
  it.live(
    "records with fetch and reads the receipt",
    () =>
      Effect.gen(function* () {
        const server = yield* testServer()
        const { result, url } = yield* shop(`
        const response = await fetch("${server.url}${one}", {
          method: "POST",
          headers: { "Content-Type": "application/json", "Idempotency-Key": "k-1", "Traceparent": "00-1-1-00" },
          body: ${clickOf("by-fetch")}
        })
        const { headers, status } = response
        return [status, await response.json(), headers.get("click-receipt"), headers.get("click-id")]
      `)
        yield* chromium(url)
        const answer = yield* result
        const [event] = yield* server.stored
        assert.deepStrictEqual(answer, [200, { status: "ok" }, "stored", event?.id])
        assert.strictEqual(event?.product_id, "by-fetch")
        assert.include(event?.user_agent ?? "", "Chrome")
      }),
    limit
  )

  it.live(
    "records with sendBeacon, also while it is left",
    () =>
      Effect.gen(function* () {
        const server = yield* testServer()
        const beacon = (product: string) => `navigator.sendBeacon("${server.url}${one}", ${clickOf(product)})`
        const { result, url } = yield* shop(
          `addEventListener("pagehide", () => ${beacon("by-leaving")}); return ${beacon("by-beacon")}`,
          'location.assign("about:blank")'
        )
        yield* chromium(url)
        assert.strictEqual(yield* result, true)
        const products = server.stored.pipe(
          Effect.map((events) => events.map(({ product_id }) => product_id).sort()),
          Effect.repeat({ schedule: Schedule.spaced("20 millis"), until: (ids) => ids.length === 2 })
        )
        assert.deepStrictEqual(yield* products, ["by-beacon", "by-leaving"])
      }),
    limit
  )

  it.live(
    "records JSON with sendBeacon and with credentials, which both take a preflight",
    () =>
      Effect.gen(function* () {
        const server = yield* testServer()
        const url = `${server.url}${one}`
        const { result, url: page } = yield* shop(`
        const body = new Blob([${clickOf("by-beacon")}], { type: "application/json" })
        const isQueued = navigator.sendBeacon("${url}", body)
        const headers = { "Content-Type": "application/json" }
        const response = await fetch("${url}", { method: "POST", credentials: "include", headers, body: ${clickOf("by-fetch")} })
        return [isQueued, response.status, response.headers.get("click-receipt")]
      `)
        yield* chromium(page)
        assert.deepStrictEqual(yield* result, [true, 200, "stored"])
        const products = server.stored.pipe(
          Effect.map((events) => events.map(({ product_id }) => product_id).sort()),
          Effect.repeat({ schedule: Schedule.spaced("20 millis"), until: (ids) => ids.length === 2 })
        )
        assert.deepStrictEqual(yield* products, ["by-beacon", "by-fetch"])
      }),
    limit
  )

  it.live(
    "is told nothing when its origin is not listed, and its click counts",
    () =>
      Effect.gen(function* () {
        const server = yield* testServer({ options: { corsOrigins: ["https://shop.example"] } })
        const { result, url } = yield* shop(`
        const response = await fetch("${server.url}${one}", { method: "POST", body: ${clickOf("unlisted")} })
        return response.status
      `)
        yield* chromium(url)
        assert.match(String(yield* result), /TypeError: Failed to fetch/)
        assert.strictEqual((yield* server.stored)[0]?.product_id, "unlisted")
      }),
    limit
  )
})

describe.skipIf(executable === undefined)("the page at /docs", () => {
  it.live(
    "shows the API without a network",
    () =>
      Effect.gen(function* () {
        const server = yield* testServer()
        const { output } = yield* chromium("--virtual-time-budget=20000", "--dump-dom", `${server.url}/docs`)
        const { stderr, stdout } = yield* output
        for (const text of [
          "Record a click",
          "Record multiple clicks",
          "List clicks",
          "Export clicks",
          "ClickEvent"
        ]) {
          assert.include(stdout, text)
        }
        const complaints = stderr
          .split("\n")
          .filter((line) => /CONSOLE.*(Refused|violates|Error|Failed)/i.test(line))
        assert.deepStrictEqual(complaints, [])
      }),
    limit
  )
})
