import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { ClickArchive } from "@clicks/core/clicks/tiers/ClickArchive"
import { Effect, Layer } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import * as ClickHouse from "../src/ClickHouse.ts"
import * as ClickArchiveClickHouse from "../src/clicks/ClickArchiveClickHouse.ts"
import type { Owner } from "../src/Owner.ts"

const requests: Array<{ readonly url: URL; readonly body: string }> = []
let version = "26.7.2.1"
/** Comment of the table; undefined if there is none. */
let comment: string | undefined
/** The newest attempt in the table. */
let newest = 0

/** The simulated server's responses. */
let stranger: string | undefined

const answer = (statement: string): string => {
  if (stranger !== undefined) return stranger
  if (statement.includes("version()")) return `${JSON.stringify([version])}\n`
  if (statement.includes("max(attempt)")) return `[${newest}]\n`
  comment ??= /^comment '(.*)'/m.exec(statement)?.[1]
  return statement.includes("system.tables") && comment !== undefined ? `${JSON.stringify([comment])}\n` : ""
}

/** Responds as ClickHouse does over HTTP, as far as these tests need it. */
const server = createServer((request, response) => {
  let body = ""
  request.on("data", (piece) => {
    body += piece
  })
  request.on("end", () => {
    requests.push({ url: new URL(request.url ?? "", "http://localhost"), body })
    response.end(answer(body))
  })
})

beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
afterAll(() => server.close())

const address = () => `http://shop:s%40cret@127.0.0.1:${(server.address() as AddressInfo).port}`

const ping = (options: ClickHouse.Options) =>
  ClickArchive.use((archive) => archive.ping).pipe(
    Effect.provide(Layer.provide(ClickArchiveClickHouse.layer, ClickHouse.layer(options))),
    Effect.result,
    Effect.runPromise
  )

it("creates the database and the table of the URL before the first statement", async () => {
  requests.length = 0
  expect(await ping({ url: `${address()}/history` })).toMatchObject({ _tag: "Success" })
  const statements = requests.map(({ body, url }) => `${url.searchParams.get("query") ?? ""}${body}`)
  expect(statements.filter((statement) => statement.includes("create"))).toEqual([
    expect.stringContaining("create database if not exists `history`"),
    expect.stringContaining("create table if not exists `history`.clicks")
  ])
})

it("rejects a server whose version loses data, and creates nothing there", async () => {
  requests.length = 0
  version = "26.5.5.3"
  const { failure } = (await ping({ url: address() })) as { readonly failure?: { cause?: unknown } }
  expect(failure).toMatchObject({
    reason: "HistoryUnavailable",
    cause: {
      reason: "UnsafeVersion",
      message: expect.stringMatching(/^ClickHouse 26\.5\.5\.3 is known to lose data\. Upgrade to /)
    }
  })
  expect(requests.some(({ body }) => body.includes("create"))).toBe(false)
  version = "26.7.2.1"
})

const pingAs = (owner: Partial<Owner>) =>
  ping({
    url: address(),
    owner: Effect.succeed({ id: "one", instance: "1/5", lastAttempt: 7, hasMoved: true, ...owner })
  })

const refusal = (message: RegExp) => ({
  failure: { reason: "HistoryUnavailable", cause: { message: expect.stringMatching(message) } }
})

it("rejects a table of another database, and a missing table if clicks were moved to it", async () => {
  requests.length = 0
  comment = undefined
  expect(await pingAs({})).toMatchObject(
    refusal(/^ClickHouse has no table clicks\.clicks, although clicks were moved to one\. Check /)
  )
  expect(requests.some(({ body }) => body.includes("create"))).toBe(false)
  expect(await pingAs({ hasMoved: false })).toMatchObject({ _tag: "Success" })
  expect(await pingAs({})).toMatchObject({ _tag: "Success" })
  expect(await pingAs({ id: "two", hasMoved: false })).toMatchObject(
    refusal(/^The table clicks\.clicks in ClickHouse holds the clicks of another PostgreSQL database/)
  )
})

it("rejects the table of another copy of the database", async () => {
  comment = undefined
  expect(await pingAs({ hasMoved: false })).toMatchObject({ _tag: "Success" })
  for (const instance of ["2/5", "1/6"])
    expect(await pingAs({ instance })).toMatchObject(
      refusal(/^The table .* was last used by another copy .* "clicks archive adopt"$/)
    )
})

it("rejects a table with clicks of attempts that the database has not begun", async () => {
  comment = undefined
  newest = 8
  expect(await pingAs({ hasMoved: false })).toMatchObject(
    refusal(
      /^The table .* holds clicks that this PostgreSQL database has not moved: .* "clicks archive adopt"/
    )
  )
  // Another mover has begun the attempt meanwhile.
  let last = 7
  const owner = Effect.sync(() => ({ id: "one", instance: "1/5", lastAttempt: last++, hasMoved: true }))
  expect(await ping({ url: address(), owner })).toMatchObject({ _tag: "Success" })
  newest = 0
})

it("fails with the response if another server responds", async () => {
  for (const [answered, message] of [
    ["<html>\n<body>Log in</body></html>", "This is not a response of ClickHouse: <html>"],
    ['{"a":1}\n', 'This is not a response of ClickHouse: {"a":1}'],
    [
      '["26.7.2.1"]\nCode: 241. DB::Exception: Memory limit exceeded',
      /^(This is not a response of ClickHouse: )?Code: 241/
    ]
  ] as const) {
    stranger = answered
    expect(await ping({ url: address() })).toMatchObject({
      failure: { reason: "HistoryUnavailable", cause: { message: expect.stringMatching(message) } }
    })
  }
  stranger = undefined
})

it("fails while no server listens, and works once one does", async () => {
  const failed = await ping({ url: "http://127.0.0.1:1/clicks" })
  expect(failed).toMatchObject({ failure: { reason: "HistoryUnavailable" } })
})

it("reads and writes with a quorum of the replicas of a cluster", async () => {
  requests.length = 0
  const write = ClickArchive.use((archive) => archive.forget([1]))
  await Effect.runPromise(
    Effect.provide(
      write,
      Layer.provide(ClickArchiveClickHouse.layer, ClickHouse.layer({ url: address(), cluster: "main" }))
    )
  )
  const select = requests.find(({ body }) => body.includes("select 1 from"))
  expect(select?.url.searchParams.get("select_sequential_consistency")).toBe("1")
})
