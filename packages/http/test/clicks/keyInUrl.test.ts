import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { rawSocket, requestText } from "../rawSocket.ts"
import { click, many, one, posting, testServer } from "../TestServer.ts"

describe.each([one, many])("?key= of %s", (path) => {
  it.live("means the same as the Idempotency-Key header", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const requests = [
        [`${path}?key=k.1~a`, {}],
        [path, { "Idempotency-Key": "k.1~a" }],
        [`${path}?key=k.1%7Ea`, {}],
        [`${path}?page=1&key=k.1~a`, { "Idempotency-Key": "k.1~a" }]
      ] as const
      for (const [url, headers] of requests) {
        const answer = yield* server.ask(url, posting(click, headers))
        assert.strictEqual(answer.status, 200, url)
        assert.isNull(answer.headers.get("click-notice"))
        assert.lengthOf(yield* server.stored, 1, url)
      }
    })
  )

  it.live("is rejected if it differs from the header or is repeated with another value", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const requests = [
        [`${path}?key=k-1`, { "Idempotency-Key": "k-2" }],
        [`${path}?key=`, { "Idempotency-Key": "k-2" }],
        [`${path}?key=k-1&key=k-2`, {}]
      ] as const
      for (const [url, headers] of requests) {
        const answer = yield* server.ask(url, posting(click, headers))
        assert.strictEqual(answer.status, 400, url)
        assert.deepStrictEqual(answer.json, {
          status: "error",
          error: "Idempotency-Key and key differ. Send one key: as a header or as ?key="
        })
      }
      assert.lengthOf(yield* server.stored, 0)
    })
  )

  it.live("is ignored with a notice if it is not visible ASCII", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      for (const key of ["", "a+b", "%C3%A4", "a".repeat(256)]) {
        const answer = yield* server.ask(`${path}?key=${key}`, posting(click))
        const notice = "key ignored: must be 1 to 255 visible ASCII characters"
        assert.strictEqual(answer.headers.get("click-notice"), notice)
      }
      assert.lengthOf(yield* server.stored, 4)
    })
  )
})

describe("a connection that sends clicks with ?key=", () => {
  it.live("stores each key once, in the order of its requests", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const socket = yield* rawSocket(server.port)
      const keyed = (key: string, headers: ReadonlyArray<string> = []) =>
        requestText(`${one}?key=${key}`, JSON.stringify(click), ["Content-Type: text/plain", ...headers])
      socket.write(keyed("k-1") + keyed("k-2") + keyed("k-1") + keyed("k-1", ["Idempotency-Key: k-2"]))
      const text = yield* socket.receive(/^(?:HTTP\/1[^{]*\{[^}]*\}){4}$/)
      const outcomes = Array.from(text.matchAll(/receipt: (\w+)|HTTP\/1.1 (400)/g), ([, a, b]) => a ?? b)
      assert.deepStrictEqual(outcomes, ["stored", "stored", "duplicate", "400"])
      assert.lengthOf(yield* server.stored, 2)
    })
  )
})
