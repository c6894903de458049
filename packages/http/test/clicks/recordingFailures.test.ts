import { ApiKeys } from "@clicks/core/access/ApiKeys"
import { ClickStore, ClickStoreError } from "@clicks/core/clicks/ClickStore"
import * as ClickStoreMemory from "@clicks/core/clicks/ClickStoreMemory"
import * as ClickRecorder from "@clicks/core/clicks/recording/ClickRecorder"
import * as QuarantineMemory from "@clicks/core/clicks/recording/QuarantineMemory"
import { PortError } from "@clicks/core/values/PortError"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Layer, Schedule } from "effect"
import { rawSocket, requestText } from "../rawSocket.ts"
import { click, many, one, posting, testServer } from "../TestServer.ts"

const away = new ClickStoreError({ operation: "insert", reason: "Unavailable", cause: "it is away" })

const storeAway = Layer.mock(ClickStore, { insert: () => away })

const recorderOf = (store: Layer.Layer<ClickStore>) =>
  ClickRecorder.layerWith({ within: "50 millis" }).pipe(Layer.provide([store, QuarantineMemory.layer]))

const broken = Layer.succeed(ClickRecorder.ClickRecorder, {
  offer: () => {
    throw new Error("a bug")
  },
  record: () => Effect.die(new Error("a bug")),
  recordAll: () => Effect.die(new Error("a bug"))
})

const keysAway = Layer.mock(ApiKeys, {
  verify: () => new PortError({ port: "API keys", operation: "verify", cause: "they are away" })
})

const keysSilent = Layer.mock(ApiKeys, { verify: () => Effect.never })

describe("recording while something fails", () => {
  it.live("returns ok, with the receipt dropped, when storing fails", () =>
    Effect.gen(function* () {
      const server = yield* testServer({ recorder: recorderOf(storeAway) })
      const answer = yield* server.ask(one, posting(click))
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(answer.text, '{"status":"ok"}')
      assert.strictEqual(answer.headers.get("click-receipt"), "dropped")
      const batch = yield* server.ask(many, posting([click, {}, click]))
      assert.strictEqual(batch.status, 200)
      const { dropped, errors, stored } = batch.json as {
        stored: number
        dropped: number
        errors: Array<unknown>
      }
      assert.deepStrictEqual([stored, dropped, errors.length], [0, 2, 1])
    })
  )

  it.live("returns ok when anything else fails after validation", () =>
    Effect.gen(function* () {
      const server = yield* testServer({ recorder: broken })
      const answer = yield* server.ask(one, posting(click))
      assert.strictEqual(answer.text, '{"status":"ok"}')
      assert.strictEqual(answer.headers.get("click-receipt"), "dropped")
      const batch = yield* server.ask(many, posting([click, click]))
      assert.strictEqual((batch.json as { dropped: number }).dropped, 2)
    })
  )

  it.live("records as anonymous if the credential is invalid or has another scheme", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const revoked = `clk_${"A".repeat(43)}`
      const credentials = [
        { Authorization: "Bearer nonsense" },
        { Authorization: `Bearer ${revoked}` },
        { Authorization: "Bearer" },
        { Authorization: "Bearer a b" },
        { Authorization: "Basic dXNlcjpwYXNz" },
        { "X-API-Key": revoked },
        { "X-API-Key": " " }
      ]
      for (const headers of credentials) {
        const answer = yield* server.ask(one, posting(click, headers as Record<string, string>))
        assert.strictEqual(answer.status, 200, JSON.stringify(headers))
        assert.strictEqual(answer.headers.get("click-receipt"), "stored")
      }
      assert.isTrue((yield* server.stored).every(({ user_id }) => user_id === null))
    })
  )

  it.live("records as anonymous if keys cannot be looked up, or not in time", () =>
    Effect.gen(function* () {
      for (const keys of [keysAway, keysSilent]) {
        const server = yield* testServer({ keys })
        const answer = yield* server.ask(one, posting(click, { "X-API-Key": `clk_${"A".repeat(43)}` }))
        assert.strictEqual(answer.headers.get("click-receipt"), "stored")
        assert.strictEqual((yield* server.stored)[0]?.user_id, null)
      }
    })
  )

  it.live("records the click of a page that is closed before the response", () =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      const answered = yield* Deferred.make<void>()
      // The page disconnects while its credential is looked up: the recorder has not received the click yet.
      const keys = Layer.mock(ApiKeys, {
        verify: () =>
          Effect.gen(function* () {
            yield* Deferred.succeed(asked, undefined)
            yield* Deferred.await(answered)
            return yield* new PortError({ port: "API keys", operation: "verify", cause: "they are away" })
          })
      })
      const inserted = yield* Deferred.make<void>()
      const store = Layer.effect(
        ClickStore,
        Effect.map(ClickStore, (clicks) => ({
          ...clicks,
          insert: (batch) => Effect.tap(clicks.insert(batch), () => Deferred.succeed(inserted, undefined))
        }))
      ).pipe(Layer.provide(ClickStoreMemory.layer))
      const server = yield* testServer({ keys, store })
      const socket = yield* rawSocket(server.port)
      socket.write(
        requestText(one, JSON.stringify(click), ["Content-Type: application/json", "X-API-Key: clk_x"])
      )
      yield* Deferred.await(asked)
      socket.leave(true)
      yield* socket.closed
      // After this response, the server has noticed that the other client disconnected.
      yield* server.ask("/livez")
      yield* Deferred.succeed(answered, undefined)
      yield* Deferred.await(inserted)
      assert.strictEqual((yield* server.stored).length, 1)
    })
  )

  it.live("knows the address of a page that is closed before its click is read", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const sent = Array.from({ length: 20 }, (_, at) => `p-${at}`)
      for (const product_id of sent) {
        const socket = yield* rawSocket(server.port)
        // After this response, the server has accepted the earlier connection.
        yield* server.ask("/livez")
        socket.write(requestText(one, JSON.stringify({ ...click, product_id })))
        setImmediate(() => socket.leave(true))
        yield* socket.closed
      }
      const stored = yield* server.stored.pipe(
        Effect.repeat({
          until: ({ length }) => length === sent.length,
          schedule: Schedule.spaced("5 millis")
        })
      )
      assert.deepStrictEqual(new Set(stored.map(({ ip_address }) => ip_address)), new Set(["127.0.0.1"]))
    })
  )

  it.live("survives a client that disconnects in the middle of its body", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      for (const abruptly of [true, false]) {
        const socket = yield* rawSocket(server.port)
        const text = requestText(one, JSON.stringify(click))
        socket.write(text.slice(0, -5))
        socket.leave(abruptly)
        yield* socket.closed
      }
      const answer = yield* server.ask(one, posting(click))
      assert.strictEqual(answer.headers.get("click-receipt"), "stored")
      assert.strictEqual((yield* server.stored).length, 1)
    })
  )
})
