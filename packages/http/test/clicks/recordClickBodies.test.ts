import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { rawSocket, requestText } from "../rawSocket.ts"
import { click, one, type Request, testServer } from "../TestServer.ts"

const json = JSON.stringify(click)

const send = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>): Request => ({
  method: "POST",
  headers,
  body
})

/** A click padded to this many bytes. */
const sized = (bytes: number) => {
  const pad = bytes - JSON.stringify({ ...click, pad: "" }).length
  return JSON.stringify({ ...click, pad: "x".repeat(pad) })
}

const refused = (
  answer: { readonly status: number; readonly json: unknown },
  status: number,
  error: RegExp
) => {
  assert.strictEqual(answer.status, status)
  const body = answer.json as { status: string; error: string }
  assert.deepStrictEqual(Object.keys(body), ["status", "error"])
  assert.strictEqual(body.status, "error")
  assert.match(body.error, error)
}

describe("the body of a click", () => {
  it.live("is parsed as JSON with each accepted content type", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const types = [
        "application/json",
        "application/json; charset=utf-8",
        'Application/JSON; charset="utf-8"; v=1',
        "text/plain",
        "text/plain;charset=UTF-8"
      ]
      for (const type of types) {
        const answer = yield* server.ask(one, send(json, { "Content-Type": type }))
        assert.strictEqual(answer.status, 200, type)
      }
      const untyped = yield* server.ask(one, send(new TextEncoder().encode(json), {}))
      assert.strictEqual(untyped.status, 200)
      const marked = yield* server.ask(one, send(`\uFEFF${json}`, { "Content-Type": "application/json" }))
      assert.strictEqual(marked.status, 200)
      assert.strictEqual((yield* server.stored).length, types.length + 2)
    })
  )

  it.live("is rejected with 415 with any other type or encoding", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      for (const type of [
        "application/x-www-form-urlencoded",
        "text/html",
        "application/jsonp",
        "nonsense"
      ]) {
        refused(yield* server.ask(one, send(json, { "Content-Type": type })), 415, /application\/json/)
      }
      for (const encoding of ["br", "deflate", "gzip, gzip", "zstd"]) {
        const headers = { "Content-Type": "application/json", "Content-Encoding": encoding }
        refused(yield* server.ask(one, send(json, headers)), 415, /gzip/)
      }
      assert.deepStrictEqual(yield* server.stored, [])
    })
  )

  it.live("is rejected with 400 if it is not a JSON object in UTF-8", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const bodies = [
        "",
        "{",
        "[]",
        `[${json}]`,
        "null",
        '"text"',
        "7",
        "true",
        `${json},`,
        "NaN",
        "[".repeat(60_000)
      ]
      for (const body of bodies) {
        refused(yield* server.ask(one, send(body, { "Content-Type": "application/json" })), 400, /JSON/)
      }
      const latin1 = Buffer.from(`{"product_id":"caf\xe9","action":"view","source":"web"}`, "latin1")
      refused(yield* server.ask(one, send(latin1, { "Content-Type": "application/json" })), 400, /UTF-8/)
      assert.deepStrictEqual(yield* server.stored, [])
    })
  )

  it.live("may contain values nested deeper than the stack", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const deep = `{"product_id":"p","action":"view","source":"web","visitor_city":${"[".repeat(30_000)}${"]".repeat(30_000)}}`
      const answer = yield* server.ask(one, send(deep, { "Content-Type": "application/json" }))
      assert.strictEqual(answer.headers.get("click-receipt"), "stored")
      assert.strictEqual((yield* server.quarantine.list(1))[0]?.original.length, deep.length)
    })
  )

  it.live("may have 64 KiB and not a byte more", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const headers = { "Content-Type": "application/json" }
      assert.strictEqual((yield* server.ask(one, send(sized(65_536), headers))).status, 200)
      refused(yield* server.ask(one, send(sized(65_537), headers)), 413, /65536 bytes/)
      refused(yield* server.ask(one, send(sized(3_000_000), headers)), 413, /65536 bytes/)
    })
  )

  it.live("may be compressed with gzip, and is limited when decompressed", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const packed = (body: Uint8Array<ArrayBuffer>) =>
        server.ask(one, send(body, { "Content-Type": "application/json", "Content-Encoding": "gzip" }))
      const zipped = (body: string | Uint8Array) => new Uint8Array(gzipSync(body))

      assert.strictEqual((yield* packed(zipped(json))).status, 200)
      assert.strictEqual((yield* packed(zipped(sized(65_536)))).status, 200)
      refused(yield* packed(zipped(sized(65_537))), 413, /65536 bytes/)
      refused(yield* packed(zipped(json).slice(0, -9)), 400, /gzip/)
      refused(yield* packed(new TextEncoder().encode(json)), 400, /gzip/)
      refused(yield* packed(new Uint8Array()), 400, /gzip/)
      refused(yield* packed(zipped("{")), 400, /JSON/)
      const named = yield* server.ask(
        one,
        send(zipped(json), { "Content-Type": "text/plain", "Content-Encoding": "X-GZIP" })
      )
      assert.strictEqual(named.status, 200)
    })
  )

  it.live("is decompressed no further than the limit if it is a decompression bomb", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const bomb = new Uint8Array(gzipSync(Buffer.alloc(60_000_000)))
      assert.isBelow(bomb.length, 65_536)
      const before = process.memoryUsage.rss()
      const answers = yield* Effect.forEach(
        Array.from({ length: 20 }),
        () => server.ask(one, send(bomb, { "Content-Encoding": "gzip" })),
        { concurrency: "unbounded" }
      )
      for (const answer of answers) refused(answer, 413, /65536 bytes/)
      // Decompressed, they have 1.2 GB.
      assert.isBelow(process.memoryUsage.rss() - before, 200_000_000)
    })
  )
})

describe("a click that arrives in pieces", () => {
  const chunkedHead = `POST ${one} HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

  it.live("is recorded", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const socket = yield* rawSocket(server.port)
      socket.write(chunkedHead)
      for (const character of json) socket.write(chunk(character))
      socket.write("0\r\n\r\n")
      assert.match(yield* socket.receive(/"ok"}$/), /^HTTP\/1.1 200 OK/)
      assert.strictEqual((yield* server.stored)[0]?.product_id, "p-1")
    })
  )

  it.live("may have 64 KiB and not a byte more", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      for (const [bytes, status] of [
        [65_536, 200],
        [65_537, 413]
      ] as const) {
        const socket = yield* rawSocket(server.port)
        const body = sized(bytes)
        socket.write(chunkedHead + chunk(body.slice(0, 40_000)) + chunk(body.slice(40_000)) + chunk(""))
        assert.match(yield* socket.receive(/}$/), new RegExp(`^HTTP/1.1 ${status} `))
      }
    })
  )

  it.live("is rejected with 413 even without a Content-Length, and the response arrives", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const socket = yield* rawSocket(server.port)
      socket.write(chunkedHead)
      for (let sent = 0; sent < 40; sent++) socket.write(chunk("x".repeat(100_000)))
      const answer = yield* socket.receive(/65536 bytes"}/)
      assert.match(answer, /^HTTP\/1.1 413 /)
      assert.include(answer, '{"status":"error","error":"Body too large: the limit is 65536 bytes"}')
    })
  )

  it.live("is rejected with 415 before it is read, and the response arrives", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const socket = yield* rawSocket(server.port)
      socket.write(chunkedHead.replace("application/json", "image/png"))
      for (let sent = 0; sent < 40; sent++) socket.write(chunk("x".repeat(100_000)))
      assert.match(yield* socket.receive(/"error":.*}/), /^HTTP\/1.1 415 /)
    })
  )

  it.live("is requested if the client waits for 100 Continue", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const socket = yield* rawSocket(server.port)
      const [head = "", body = ""] = requestText(one, json, [
        "Content-Type: application/json",
        "Expect: 100-continue"
      ]).split("\r\n\r\n")
      socket.write(`${head}\r\n\r\n`)
      assert.match(yield* socket.receive(/\r\n\r\n/), /^HTTP\/1.1 100 Continue/)
      socket.write(body)
      assert.match(yield* socket.receive(/"ok"}$/), /HTTP\/1.1 200 OK/)
    })
  )

  it.live("is not requested if it would be rejected", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const socket = yield* rawSocket(server.port)
      socket.write(
        `POST ${one} HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\nContent-Length: 70000\r\nExpect: 100-continue\r\n\r\n`
      )
      const answer = yield* socket.receive(/bytes"}/)
      assert.match(answer, /^HTTP\/1.1 413 /)
      assert.notInclude(answer, "100 Continue")
    })
  )

  it.live("keeps its connection open for the next one, even after a rejection", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const socket = yield* rawSocket(server.port)
      socket.write(requestText(one, "{", ["Content-Type: application/json"]))
      yield* socket.receive(/UTF-8"}$/)
      socket.write(requestText(one, json) + requestText(one, json))
      const answer = yield* socket.receive(/"ok"}.*"ok"}$/s)
      assert.strictEqual(answer.match(/HTTP\/1.1 200 OK/g)?.length, 2)
      assert.strictEqual((yield* server.stored).length, 2)
    })
  )
})
