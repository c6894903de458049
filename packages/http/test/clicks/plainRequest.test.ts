import { createServer } from "node:http"
import { duplexPair } from "node:stream"
import { assert, describe, it } from "@effect/vitest"
import { type PlainRequest, readPlainRequest } from "../../src/clicks/recording/plain/plainRequest.ts"
import { click, one } from "../TestServer.ts"

const limits = { maxHead: 16 * 1024, maxBody: 64 * 1024 }

/** The result of parsing a request. */
interface Read {
  readonly url: string | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

const asRead = ({ body, head }: PlainRequest): Read => ({
  url: head.url,
  headers: { ...head.headers, "content-length": String(body.length) },
  body: body.toString("latin1")
})

/** The requests that Node's HTTP server finds in the bytes, and whether it rejects any. */
const readByNode = (bytes: Buffer) =>
  new Promise<{ readonly requests: ReadonlyArray<Read>; readonly isRefused: boolean }>((resolve) => {
    const requests: Array<Read> = []
    let isRefused = false
    const server = createServer({ maxHeaderSize: limits.maxHead }, (request, response) => {
      let body = ""
      request.setEncoding("latin1")
      request.on("data", (text) => {
        body += text
      })
      request.on("end", () => {
        assert.deepStrictEqual([request.method, request.httpVersion], ["POST", "1.1"])
        requests.push({ url: request.url, headers: { ...request.headers }, body })
        response.end()
      })
    })
    server.on("clientError", (_, socket) => {
      isRefused = true
      socket.destroy()
    })
    const [client, connection] = duplexPair()
    client.on("error", () => {})
    client.on("close", () => resolve({ requests, isRefused }))
    client.resume()
    server.emit("connection", connection)
    client.end(bytes)
  })

/** Random numbers from 0 to `below`, the same for the same seed (xorshift). */
const numbersOf = (seed: number) => {
  let state = seed | 1
  return (below: number): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

const lines = [
  "Host: shop.example",
  "Content-Type: application/json",
  "User-Agent: Mozilla/5.0 (X11; Linux x86_64)",
  "Origin: https://shop.example",
  "Cookie: a=b; c=d",
  "Idempotency-Key: 7f3c2a"
]

const targets = ["", "", "?key=7f3c2a", "?key=%7E", "?key=a&key=b", "?key"]

const unusual = [
  "Connection: keep-alive",
  "Connection: close",
  "Transfer-Encoding: chunked",
  "Expect: 100-continue",
  "Content-Length: 5",
  "content-length : 5",
  "Upgrade: h2c",
  "X-Empty:",
  "X:\t a \t",
  " folded",
  "Host: other"
]

const bytesToInsert = [0, 9, 10, 13, 32, 34, 44, 58, 59, 65, 127, 128, 255]

/** A request with a click, mutated in up to three places. */
const mutatedRequest = (seed: number): Buffer => {
  const next = numbersOf(seed * 2_654_435_761)
  const body = JSON.stringify({ ...click, product_id: `p-${next(100)}` })
  const chosen = lines.filter(() => next(4) > 0)
  if (next(3) === 0) chosen.splice(next(chosen.length + 1), 0, unusual[next(unusual.length)] ?? "")
  const length = body.length + (next(8) === 0 ? next(5) - 2 : 0)
  chosen.splice(
    next(chosen.length + 1),
    0,
    `${next(2) ? "Content-Length" : "content-length"}:${" ".repeat(next(3))}${length}`
  )
  const text = [`POST ${one}${targets[next(targets.length)]} HTTP/1.1`, ...chosen, "", body].join("\r\n")
  let bytes = Buffer.from(text, "latin1")
  for (let changes = next(4); changes > 0; changes--) {
    const at = next(bytes.length)
    const byte = Buffer.from([bytesToInsert[next(bytesToInsert.length)] ?? 0])
    const kept = bytes.subarray(at + next(2))
    bytes = Buffer.concat([bytes.subarray(0, at), ...(next(3) > 0 ? [byte] : []), kept])
  }
  return bytes
}

const cases = Number(process.env["CLICKS_FUZZ"] ?? 3_000)

describe("a plain request", () => {
  it(`is parsed as Node parses it, in ${cases} mutated requests`, {
    timeout: 60_000 + cases * 5
  }, async () => {
    let plain = 0
    for (let seed = 1; seed <= cases; seed++) {
      const bytes = mutatedRequest(seed)
      const read = readPlainRequest(bytes, limits, undefined)
      if (read === undefined) continue
      plain++
      assert.deepStrictEqual(
        await readByNode(bytes),
        { requests: [asRead(read)], isRefused: false },
        `seed ${seed}: ${JSON.stringify(bytes.toString("latin1"))}`
      )
    }
    // If few were plain, this test would prove little.
    assert.isAbove(plain, cases / 10)
  })
})
