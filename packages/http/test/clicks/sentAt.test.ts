import { gzipSync } from "node:zlib"
import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { rawSocket, requestText } from "../rawSocket.ts"
import { type Answer, click, many, one, posting, testServer } from "../TestServer.ts"

const hour = 3_600_000
const fromNow = (millis: number) => new Date(Date.now() + millis).toISOString()
const occurred_at = "2025-11-20T10:00:00.000Z"
const notice = ({ headers }: Answer) => headers.get("click-notice")
const because = "because sent_at is that far from the time of receipt"

/** By how much the time of a click was shifted; undefined if it was not. */
const shiftOf = (event: ClickEvent | undefined): number | undefined => {
  if (!event?.client_occurred_at) return undefined
  assert.strictEqual(event.client_occurred_at.toISOString(), occurred_at)
  return event.occurred_at.getTime() - event.client_occurred_at.getTime()
}

describe("sent_at", () => {
  it.live("shifts occurred_at by the difference of the clocks, and keeps the original time", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      for (const [index, away] of [-5 * hour, hour].entries()) {
        const sent_at = fromNow(away)
        const body = { ...click, product_id: `p-${index}`, occurred_at, sent_at }
        const answer = yield* server.ask(one, posting(body))
        const event = (yield* server.stored).find(({ product_id }) => product_id === body.product_id)
        const shift = Number(event?.received_at.getTime()) - Date.parse(sent_at)
        assert.strictEqual(shiftOf(event), shift)
        const sign = shift > 0 ? "+" : ""
        assert.strictEqual(notice(answer), `occurred_at shifted by ${sign}${shift / 1_000} s, ${because}`)
        assert.strictEqual(answer.text, '{"status":"ok"}')
        assert.strictEqual(answer.headers.get("click-receipt"), "stored")
      }
      const socket = yield* rawSocket(server.port)
      socket.write(requestText(one, JSON.stringify({ ...click, occurred_at, sent_at: fromNow(-hour) })))
      assert.match(yield* socket.receive(/"ok"}$/), /click-notice: occurred_at shifted by \+3600(\.\d+)? s/)
      assert.deepStrictEqual(yield* server.quarantine.list(1), [])
    })
  )

  it.live(
    "changes nothing within 2 seconds, or without occurred_at; listings then lack client_occurred_at",
    () =>
      Effect.gen(function* () {
        const server = yield* testServer()
        for (const body of [
          { ...click, occurred_at, sent_at: fromNow(500) },
          { ...click, sent_at: fromNow(-hour) },
          { ...click, occurred_at: "soon", sent_at: fromNow(-hour), store_id: "late" },
          { ...click, occurred_at, sent_at: null }
        ]) {
          const answer = yield* server.ask(one, posting(body))
          if (!("store_id" in body)) assert.isNull(notice(answer))
        }
        yield* server.ask(many, posting({ sent_at: fromNow(-hour), clicks: [click] }))
        const page = yield* server.askAdmin(many)
        assert.strictEqual((yield* server.stored).length, 5)
        for (const event of yield* server.stored) assert.isNull(event.client_occurred_at)
        assert.notInclude(page.text, "client_occurred_at")
        yield* server.ask(one, posting({ ...click, occurred_at, sent_at: fromNow(-hour) }))
        assert.include((yield* server.askAdmin(many)).text, `"client_occurred_at":"${occurred_at}"`)
      })
  )

  it.live("does not take a slow body for a slow clock", () =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      let passed = 0
      const currentTimeMillisUnsafe = () => clock.currentTimeMillisUnsafe() + passed
      const currentTimeMillis = Effect.sync(currentTimeMillisUnsafe)
      const later = Object.assign(Object.create(clock), { currentTimeMillisUnsafe, currentTimeMillis })
      const server = yield* Effect.provideService(testServer(), Clock.Clock, later)
      const sent = { ...click, occurred_at, sent_at: fromNow(0) }
      for (const [path, body] of [
        [one, sent],
        [many, [sent]],
        [many, { sent_at: sent.sent_at, clicks: [{ ...click, occurred_at }] }]
      ] as const) {
        passed = 0
        const text = requestText(path, JSON.stringify(body), ["Expect: 100-continue"])
        const socket = yield* rawSocket(server.port)
        const end = text.indexOf("\r\n\r\n") + 4
        socket.write(text.slice(0, end))
        yield* socket.receive(/100 Continue/)
        passed = hour
        socket.write(text.slice(end))
        yield* socket.receive(/"status":"ok"/)
      }
      const events = yield* server.stored
      assert.lengthOf(events, 3)
      for (const event of events) assert.isNull(event.client_occurred_at)
    })
  )

  it.live("corrects a clock that is decades ahead", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const ahead = 20 * 365 * 24 * hour
      const times = { occurred_at: fromNow(ahead - hour), sent_at: fromNow(ahead) }
      yield* server.ask(one, posting({ ...click, ...times }))
      const [event] = yield* server.stored
      assert.strictEqual(event?.client_occurred_at?.toISOString(), times.occurred_at)
      const age = Number(event?.received_at) - Number(event?.occurred_at)
      assert.strictEqual(age, Date.parse(times.sent_at) - Date.parse(times.occurred_at))
    })
  )

  it.live("corrects a clock that is decades behind", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const epoch = { occurred_at: "1970-01-01T00:01:00.000Z", sent_at: "1970-01-01T00:02:00.000Z" }
      const answer = yield* server.ask(one, posting({ ...click, ...epoch }))
      assert.match(notice(answer) ?? "", /^occurred_at shifted by /)
      yield* server.ask(many, posting({ sent_at: epoch.sent_at, clicks: [{ ...click, ...epoch }] }))
      const events = yield* server.stored
      assert.lengthOf(events, 2)
      for (const { client_occurred_at, occurred_at, received_at } of events) {
        assert.strictEqual(client_occurred_at?.toISOString(), epoch.occurred_at)
        assert.isBelow(Math.abs(received_at.getTime() - occurred_at.getTime() - 60_000), 30_000)
      }
    })
  )

  it.live("loses no click if it cannot be used, and keeps the original", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const tooLate =
        "sent_at has no effect because it would shift occurred_at to more than a day after receipt"
      const lossy = [
        [{ ...click, occurred_at, sent_at: "yesterday" }, "sent_at is not an ISO 8601 date-time"],
        [{ ...click, occurred_at, sent_at: 1_763_632_800 }, "sent_at is not an ISO 8601 date-time"],
        [
          { ...click, occurred_at: "9999-12-31", sent_at: "1970-01-01" },
          "sent_at has no effect because it would shift occurred_at out of the range of years 0001 to 9999"
        ],
        [{ ...click, occurred_at: fromNow(-hour), sent_at: "0001-01-01T00:00:00Z" }, tooLate],
        [{ ...click, occurred_at: fromNow(25 * hour), sent_at: fromNow(-hour) }, tooLate],
        [
          { ...click, occurred_at: fromNow(-hour), sent_at: fromNow(31 * 24 * hour) },
          "sent_at has no effect because it would shift occurred_at by more than 30 days into the past"
        ]
      ] as const
      for (const [body, reason] of lossy) {
        const answer = yield* server.ask(one, posting(body))
        assert.strictEqual(notice(answer), `Not stored as sent: ${reason}`)
        assert.strictEqual(answer.headers.get("click-receipt"), "stored")
      }
      const times = (yield* server.stored).map((event) => event.occurred_at.toISOString())
      for (const [{ occurred_at }] of lossy) assert.include(times, new Date(occurred_at).toISOString())
      const originals = (yield* server.quarantine.list(9)).map(({ original }) =>
        new TextDecoder().decode(original)
      )
      assert.sameMembers(
        originals,
        lossy.map(([body]) => JSON.stringify(body))
      )
      const answer = yield* server.ask(
        many,
        posting({ sent_at: "soon", clicks: [{ ...click, occurred_at }] })
      )
      assert.strictEqual(notice(answer), "Ignored: sent_at is not an ISO 8601 date-time")
      assert.deepInclude(answer.json, { stored: 1 })
      assert.strictEqual((yield* server.quarantine.list(9)).length, lossy.length)
      const early = yield* server.ask(
        many,
        posting({ sent_at: "0001-01-01", clicks: [{ ...click, occurred_at }] })
      )
      assert.strictEqual(notice(early), "Not stored as sent: values of 1 click")
      for (const event of yield* server.stored) assert.isNull(event.client_occurred_at)
    })
  )
})

describe("an envelope around many clicks", () => {
  it.live("shifts all clicks equally, except those with their own sent_at", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const sent_at = fromNow(-hour)
      const clicks = ["p-1", "p-2", "p-3"].map((product_id) => ({ ...click, product_id, occurred_at }))
      const request = posting(
        { sent_at, clicks, note: 1 },
        { "Content-Type": "text/plain", "Idempotency-Key": "k" }
      )
      const answer = yield* server.ask(many, request)
      assert.deepInclude(answer.json, { stored: 3, errors: [] })
      const shifts = new Set((yield* server.stored).map(shiftOf))
      const [shift = 0] = shifts
      assert.strictEqual(shifts.size, 1)
      assert.isAtLeast(shift, hour)
      assert.strictEqual(
        notice(answer),
        `Ignored fields: note; occurred_at of 3 clicks shifted by +${shift / 1_000} s, ${because}`
      )
      assert.deepInclude((yield* server.ask(many, request)).json, { stored: 0, duplicates: 3 })

      const own = { ...click, product_id: "p-4", occurred_at, sent_at: fromNow(10) }
      const mixed = yield* server.ask(
        many,
        posting({ sent_at, clicks: [own, clicks[0], { ...clicks[0], sent_at: fromNow(hour) }] })
      )
      assert.match(
        notice(mixed) ?? "",
        /^occurred_at of 2 clicks shifted by -[\d.]+ s to \+[\d.]+ s, because/
      )
      assert.isUndefined(shiftOf((yield* server.stored).find(({ product_id }) => product_id === "p-4")))
    })
  )

  it.live("has the limits of an array, plus 64 KiB for its other fields", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const clicks = Array.from({ length: 1_000 }, () => click)
      const gzip = { "Content-Encoding": "gzip", "Content-Type": "application/json" }
      const packed = (body: object) => ({
        method: "POST",
        headers: gzip,
        body: gzipSync(JSON.stringify(body))
      })
      assert.deepInclude((yield* server.ask(many, packed({ clicks }))).json, { stored: 1_000 })
      assert.deepInclude((yield* server.ask(many, posting({ clicks: [] }))).json, { stored: 0 })
      const large = { ...click, pad: "x".repeat(65_536) }
      const { json } = yield* server.ask(many, posting({ clicks: [large, click] }))
      assert.deepInclude(json, {
        stored: 1,
        errors: [{ index: 0, error: "Click too large: the limit is 65536 bytes" }]
      })
      for (const [body, error] of [
        [{ clicks: [...clicks, click] }, "Too many clicks: the limit is 1000 per request"],
        [
          { clicks: [click], pad: "x".repeat(65_536) },
          "Envelope too large: the limit is 65536 bytes beside the clicks"
        ],
        [{ clicks: [click], pad: "x".repeat(1_048_576) }, "Body too large: the limit is 1048576 bytes"]
      ] as const) {
        const answer = yield* server.ask(many, posting(body))
        assert.strictEqual(answer.status, 413)
        assert.deepStrictEqual(answer.json, { status: "error", error })
      }
      assert.strictEqual((yield* server.stored).length, 1_001)
    })
  )
})
