import { createServer } from "node:http"
import { assert, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { TestBrowser } from "../../../test/browser.ts"
import { one, type TestServer, testServer } from "./TestServer.ts"

/** A page of a shop on its own origin. It closes with the test. */
const shopPage = Effect.gen(function* () {
  const server = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html").end("<!doctype html><title>Shop</title>")
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () => Effect.sync(() => server.close().closeAllConnections())
  )
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  const visitor = yield* TestBrowser.visitor()
  return yield* Effect.promise(async () => {
    const page = await visitor.newPage()
    await page.goto(`http://shop.test:${port}/`)
    return page
  })
})

const clickOf = (product_id: string) => JSON.stringify({ product_id, action: "view", source: "web" })

const storedProducts = (server: TestServer, count: number) =>
  server.stored.pipe(
    Effect.map((events) => events.map(({ product_id }) => product_id).sort()),
    Effect.repeat({ schedule: Schedule.spaced("20 millis"), until: (ids) => ids.length === count })
  )

layer(TestBrowser.layer, { excludeTestServices: true })("a page in Chromium, of another origin", (it) => {
  it.effect("records with fetch and reads the receipt", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const page = yield* shopPage
      const answer = yield* Effect.promise(() =>
        page.evaluate(
          async ([url, body]) => {
            const response = await fetch(url, {
              method: "POST",
              headers: {
                "Content-Type": "application/json",
                "Idempotency-Key": "k-1",
                Traceparent: "00-1-1-00"
              },
              body
            })
            const { headers, status } = response
            return [status, await response.json(), headers.get("click-receipt"), headers.get("click-id")]
          },
          [`${server.url}${one}`, clickOf("by-fetch")] as const
        )
      )
      const [event] = yield* server.stored
      assert.deepStrictEqual(answer, [200, { status: "ok" }, "stored", event?.id])
      assert.strictEqual(event?.product_id, "by-fetch")
      assert.include(event?.user_agent ?? "", "Chrome")
    })
  )

  it.effect("records with sendBeacon, even while the user leaves it", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const page = yield* shopPage
      const isQueued = yield* Effect.promise(() =>
        page.evaluate(
          ([url, whileOpen, whileLeft]) => {
            addEventListener("pagehide", () => navigator.sendBeacon(url, whileLeft))
            return navigator.sendBeacon(url, whileOpen)
          },
          [`${server.url}${one}`, clickOf("by-beacon"), clickOf("by-leaving")] as const
        )
      )
      assert.isTrue(isQueued)
      yield* Effect.promise(() => page.goto("about:blank"))
      assert.deepStrictEqual(yield* storedProducts(server, 2), ["by-beacon", "by-leaving"])
    })
  )

  it.effect("records JSON with sendBeacon and with credentials, both of which need a preflight", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const page = yield* shopPage
      const answer = yield* Effect.promise(() =>
        page.evaluate(
          async ([url, beacon, body]) => {
            const isQueued = navigator.sendBeacon(url, new Blob([beacon], { type: "application/json" }))
            const headers = { "Content-Type": "application/json" }
            const response = await fetch(url, { method: "POST", credentials: "include", headers, body })
            return [isQueued, response.status, response.headers.get("click-receipt")]
          },
          [`${server.url}${one}`, clickOf("by-beacon"), clickOf("by-fetch")] as const
        )
      )
      assert.deepStrictEqual(answer, [true, 200, "stored"])
      assert.deepStrictEqual(yield* storedProducts(server, 2), ["by-beacon", "by-fetch"])
    })
  )

  it.effect("cannot read the response if its origin is not listed, but its click is recorded", () =>
    Effect.gen(function* () {
      const server = yield* testServer({ options: { corsOrigins: ["https://shop.example"] } })
      const page = yield* shopPage
      const answer = yield* Effect.promise(() =>
        page.evaluate(
          ([url, body]) => fetch(url, { method: "POST", body }).then(({ status }) => status, String),
          [`${server.url}${one}`, clickOf("unlisted")] as const
        )
      )
      assert.strictEqual(answer, "TypeError: Failed to fetch")
      assert.deepStrictEqual(yield* storedProducts(server, 1), ["unlisted"])
    })
  )
})

layer(TestBrowser.layer, { excludeTestServices: true })("the page at /docs", (it) => {
  it.effect("shows the API without internet access", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const visitor = yield* TestBrowser.visitor()
      const complaints: Array<string> = []
      yield* Effect.promise(async () => {
        const page = await visitor.newPage()
        page.on("console", (message) => {
          if (message.type() === "error") complaints.push(message.text())
        })
        await page.goto(`${server.url}/docs`)
        for (const text of [
          "Record a click",
          "Record multiple clicks",
          "List clicks",
          "Export clicks",
          "ClickEvent"
        ]) {
          await page.getByText(text).first().waitFor()
        }
      })
      assert.deepStrictEqual(complaints, [])
    })
  )
})
