import type { ServerResponse } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { vi } from "vitest"
import * as JsonWebTokens from "../../src/access/JsonWebTokens.ts"
import { click, many, one, posting, testServer } from "../TestServer.ts"
import { issuerAnswering, keyPair, signWith } from "./TokenIssuer.ts"

const json = (body: unknown) => (response: ServerResponse) => response.end(JSON.stringify(body))

const outages: ReadonlyArray<readonly [string, (response: ServerResponse) => void]> = [
  ["breaks the connection", (response) => response.destroy()],
  ["answers 500", (response) => response.writeHead(500).end()],
  ["answers with a page", (response) => response.end("<!doctype html>")],
  ["answers with JSON that is no key set", json({ keys: "none" })],
  ["never answers", () => {}]
]

const stage = Effect.gen(function* () {
  const pair = yield* keyPair("RS256")
  let answer: (response: ServerResponse) => void = json({ keys: [pair.jwk] })
  const { asked, url } = yield* issuerAnswering((response) => answer(response))
  const server = yield* testServer({ tokens: JsonWebTokens.layerKeySet(url) })
  const token = (kid: string) =>
    signWith(pair.privateKey, { alg: "RS256", kid }, { sub: "u-1", role: "reader" })
  const bearer = (kid = "RS256") => Effect.map(token(kid), (text) => ({ Authorization: `Bearer ${text}` }))
  return {
    ...server,
    asked,
    bearer,
    /** Sets the response of the issuer from now on. */
    answers: (next: typeof answer) => {
      answer = next
    },
    warnings: () => server.log.filter((line) => line.startsWith("WARN"))
  }
})

/** Stops the clock, which would otherwise continue while a slow machine responds. Returns a function that advances it. */
const stoppedClock = Effect.gen(function* () {
  let now = performance.now()
  yield* Effect.acquireRelease(
    Effect.sync(() => vi.spyOn(performance, "now").mockImplementation(() => now)),
    (spy) => Effect.sync(() => spy.mockRestore())
  )
  return (millis: number) =>
    Effect.sync(() => {
      now += millis
    })
})

describe("when the key set of the token issuer cannot be fetched", () => {
  for (const [outage, answer] of outages) {
    it.live(`returns 503 to readers and records clicks as anonymous (the issuer ${outage})`, () =>
      Effect.gen(function* () {
        yield* stoppedClock
        const { answers, ask, asked, bearer, stored, warnings } = yield* stage
        answers(answer)
        const read = yield* ask(many, { headers: yield* bearer() })
        assert.strictEqual(read.status, 503)
        assert.deepStrictEqual(read.json, {
          error: "Authentication is temporarily unavailable. Try again in 10 seconds"
        })
        assert.strictEqual(read.headers.get("retry-after"), "10")
        const nonsense = yield* ask(many, { headers: { Authorization: "Bearer nonsense" } })
        assert.strictEqual(nonsense.status, 401)
        for (let sent = 0; sent < 20; sent++) {
          const { headers, text } = yield* ask(one, posting(click, yield* bearer(`invented-${sent}`)))
          assert.deepStrictEqual([text, headers.get("click-receipt")], ['{"status":"ok"}', "stored"])
        }
        assert.deepStrictEqual(new Set((yield* stored).map(({ user_id }) => user_id)), new Set([null]))
        assert.strictEqual(asked(), 1)
        assert.lengthOf(warnings(), 1)
      })
    )
  }

  it.live("fetches it again after ten seconds", () =>
    Effect.gen(function* () {
      const pass = yield* stoppedClock
      const { answers, ask, asked, bearer } = yield* stage
      const status = Effect.flatMap(bearer(), (headers) =>
        Effect.map(ask(many, { headers }), (answer) => answer.status)
      )
      answers((response) => response.writeHead(500).end())
      assert.strictEqual(yield* status, 503)
      const { jwk } = yield* keyPair("ES256")
      answers(json({ keys: [jwk] }))
      assert.strictEqual(yield* status, 503)
      yield* pass(10_000)
      assert.strictEqual(yield* status, 401)
      assert.strictEqual(asked(), 2)
    })
  )
})

describe("when the key set can be fetched", () => {
  it.live("fetches it once, for valid and for forged tokens", () =>
    Effect.gen(function* () {
      const { ask, asked, bearer, stored, warnings } = yield* stage
      for (let sent = 0; sent < 20; sent++) {
        yield* ask(one, posting(click, yield* bearer(`invented-${sent}`)))
      }
      assert.strictEqual((yield* ask(many, { headers: yield* bearer("invented") })).status, 401)
      assert.strictEqual((yield* ask(many, { headers: yield* bearer() })).status, 200)
      yield* ask(one, posting(click, yield* bearer()))
      assert.strictEqual((yield* stored)[0]?.user_id, "u-1")
      assert.strictEqual(asked(), 1)
      assert.lengthOf(warnings(), 0)
    })
  )
})
