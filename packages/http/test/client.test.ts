import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { FetchHttpClient, HttpClientError } from "effect/http"
import { connect, make } from "../src/client.ts"
import { BadRequest, RecordingTooLarge, Unauthorized } from "../src/responses/errors.ts"
import { adminKey, testServer } from "./TestServer.ts"

const payload = { product_id: "p-1", action: "view", source: "web" } as const

describe("connect", () => {
  it.live("records, lists and exports with promises", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const { listing, recording } = connect({ baseUrl: server.url, key: adminKey })
      const answers = yield* Effect.promise(async () => {
        const recorded = await recording.record({ payload })
        const again = { headers: { "Idempotency-Key": "k-1" }, payload: [payload, payload] }
        const { body } = await recording.recordMany(again)
        const page = await listing.list({ query: { limit: "1" } })
        const csv = await listing.export({ query: { format: "csv" } })
        let bytes = 0
        for await (const piece of csv) bytes += piece.length
        return { recorded, body, page, bytes, all: await listing.list() }
      })
      assert.deepStrictEqual(answers.recorded.body, { status: "ok" })
      assert.strictEqual(answers.recorded.headers["click-receipt"], "stored")
      assert.strictEqual(answers.body.stored, 2)
      assert.deepStrictEqual(
        [answers.page.total, answers.page.events.length, answers.all.events.length],
        [3, 1, 3]
      )
      assert.instanceOf(answers.page.events[0]?.occurred_at, Date)
      assert.isAbove(answers.bytes, 300)
    })
  )

  it.live("rejects with the service's error", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const rejection = (call: () => Promise<unknown>) =>
        Effect.flip(Effect.tryPromise({ try: call, catch: (error) => error }))
      const admin = connect({ baseUrl: server.url, key: adminKey })
      const stranger = connect({ baseUrl: server.url, key: "nonsense" })

      const badRequest = yield* rejection(() => admin.listing.list({ query: { limit: "0" } }))
      assert.instanceOf(badRequest, BadRequest)
      assert.strictEqual(badRequest.error, 'limit must be a whole number, from 1 to 1000; it is "0"')
      assert.strictEqual(badRequest.message, badRequest.error)
      assert.instanceOf(yield* rejection(() => stranger.listing.list()), Unauthorized)
      const many = Array.from({ length: 1_001 }, () => payload)
      const tooLarge = yield* rejection(() => stranger.recording.recordMany({ payload: many }))
      assert.instanceOf(tooLarge, RecordingTooLarge)
    })
  )

  it.live("rejects when the service cannot be reached", () =>
    Effect.gen(function* () {
      const { recording } = connect({ baseUrl: "http://127.0.0.1:1" })
      const error = yield* Effect.flip(
        Effect.tryPromise({ try: () => recording.record({ payload }), catch: (cause) => cause })
      )
      assert.instanceOf(error, HttpClientError.HttpClientError)
    })
  )
})

describe("make", () => {
  it.live("makes optional parts optional", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const { listing, recording } = yield* make({ baseUrl: server.url, key: adminKey })
      const { headers } = yield* recording.record({ payload })
      assert.strictEqual(headers["click-receipt"], "stored")
      assert.strictEqual((yield* listing.list()).total, 1)
      const failure = yield* Effect.flip(listing.list({ query: { limit: "0" } }))
      assert.instanceOf(failure, BadRequest)
    }).pipe(Effect.provide(FetchHttpClient.layer))
  )
})
