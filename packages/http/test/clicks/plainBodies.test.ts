import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { rawSocket, requestText } from "../rawSocket.ts"
import { click, one, testServer } from "../TestServer.ts"

const occurred_at = "2026-11-20T10:00:00.000Z"
const minute = 60_000
/** A whole minute, like `occurred_at`. */
const hourAgo = () => new Date(Math.floor(Date.now() / minute - 60) * minute).toISOString()
const json = "Content-Type: application/json"

/** Node's own server reads bodies without a Content-Length. */
const chunked = (path: string, body: string, headers: ReadonlyArray<string>) =>
  [`POST ${path} HTTP/1.1`, "Host: test", "Transfer-Encoding: chunked", ...headers].join("\r\n") +
  `\r\n\r\n${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`

/** A response without the parts that differ for each click. */
const comparable = (answer: string) =>
  answer
    .replace(/click-id: \S+/, "click-id: …")
    .replace(/shifted by \+\S+ s/, "shifted by … s")
    .replace(/^Date: .*$/m, "Date: …")

/** A row without the parts that differ for each click. Without its own time, a click occurred at its receipt. */
const timeless = ({ client_occurred_at, occurred_at, received_at, ...row }: ClickEvent) => ({
  ...row,
  id: "",
  client_occurred_at,
  occurred_at: client_occurred_at === null && +occurred_at !== +received_at ? +occurred_at : "",
  // `sent_at` is compared with the start of the request, which is some milliseconds before the receipt.
  late: client_occurred_at === null ? 0 : Math.round((+received_at - +occurred_at) / minute)
})

describe("a click that bypasses Node's HTTP server", () => {
  it.live.each<readonly [string, () => unknown, string?, ReadonlyArray<string>?]>([
    ["no optional field", () => click],
    ["visitor_id and session_id", () => ({ ...click, visitor_id: " v-1 ", session_id: 17 })],
    [
      "ids in other scripts",
      () => ({ ...click, visitor_id: "زائر", session_id: "訪問 👩‍👩‍👧" }),
      "",
      [json, "User-Agent: a"]
    ],
    ["ids that do not fit", () => ({ ...click, visitor_id: "v".repeat(65), session_id: { id: 1 } })],
    ["ids that no text can hold", () => ({ ...click, visitor_id: "\0", session_id: "\ud800" })],
    ["an empty visitor_id", () => ({ ...click, visitor_id: "", session_id: null })],
    ["a clock that is an hour behind", () => ({ ...click, occurred_at, sent_at: hourAgo() })],
    ["a sent_at that is no time", () => ({ ...click, occurred_at, sent_at: "now", visitor_id: "v-1" })],
    [
      "a sent_at that leads out of the calendar",
      () => ({ ...click, occurred_at: "9999-12-31", sent_at: "1970-01-01" })
    ],
    [
      "sent_at alone, and an unknown field",
      () => ({ ...click, sent_at: "1970-01-01", visit: 1 }),
      "?from=page"
    ],
    ["a key in the URL", () => ({ ...click, visitor_id: "v-1" }), "?key=k-1"],
    ["an invalid field", () => ({ ...click, action: "buy", visitor_id: "v-1" })]
  ])("is handled like one that Node parses: %s", ([, body, query = "", headers = [json]]) =>
    Effect.gen(function* () {
      const path = `${one}${query}`
      const text = JSON.stringify(body())
      const results = yield* Effect.forEach([requestText, chunked], (requestOf) =>
        Effect.gen(function* () {
          const server = yield* testServer()
          const socket = yield* rawSocket(server.port)
          socket.write(requestOf(path, text, headers))
          const answer = yield* socket.receive(/\}$/)
          const originals = (yield* server.quarantine.list(9)).map(({ original, reason }) => [
            reason,
            Buffer.from(original).toString()
          ])
          return { answer: comparable(answer), rows: (yield* server.stored).map(timeless), originals }
        })
      )
      assert.deepStrictEqual(results[0], results[1])
      assert.match(results[0]?.answer ?? "", /^HTTP\/1\.1 (200|400) /)
    })
  )
})
