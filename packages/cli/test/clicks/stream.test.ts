import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { eventStream } from "../../../http/test/clicks/eventStream.ts"
import * as DatabaseProxy from "../../../sql-adapter/test/DatabaseProxy.ts"
import * as TestDatabase from "../../../sql-adapter/test/TestDatabase.ts"
import { bare, Folder, folderLayer } from "../clicks.ts"
import { runService } from "../service/runningService.ts"

const adminKey = "an-admin-key-for-the-tests"
const asAdmin = { "x-api-key": adminKey }
const stage = Layer.merge(DatabaseProxy.layer.pipe(Layer.provideMerge(TestDatabase.layer)), folderLayer)

const record = (url: string, product_id: string) =>
  Effect.promise(async () => {
    const body = JSON.stringify({ product_id, action: "view", source: "web" })
    const answer = await fetch(`${url}/api/events/product-click`, { method: "POST", body })
    return { id: answer.headers.get("click-id") ?? "", receipt: answer.headers.get("click-receipt") }
  })

const named = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}-${n}`)

const open = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  eventStream(`${url}/api/events/product-clicks/stream`, { ...asAdmin, ...headers })

describe("a service on PostgreSQL", () => {
  it.live("resumes a stream that was cut off when the service was killed", () =>
    Effect.gen(function* () {
      const proxy = yield* DatabaseProxy.DatabaseProxy
      const env = {
        DATABASE_URL: Redacted.value(proxy.url),
        CLICKS_DATA_DIR: join((yield* Folder).path, "data"),
        CLICKS_ADMIN_KEY: adminKey
      }
      const first = yield* runService(["serve"], env)
      const cut = yield* open(first.url)
      yield* Effect.forEach(named("before", 40), (product) => record(first.url, product), { concurrency: 8 })
      const read = yield* cut.take(25)
      first.child.kill("SIGKILL")
      yield* Effect.promise(() => first.outcome)

      const second = yield* runService(["serve"], env)
      yield* Effect.forEach(named("after", 30), (product) => record(second.url, product), { concurrency: 8 })
      const resumed = yield* open(second.url, { "Last-Event-ID": read.at(-1)?.id ?? "" })
      const all = [...read, ...(yield* resumed.take(45))].map(({ data }) => data?.product_id ?? "")
      assert.deepStrictEqual(all.toSorted(), [...named("before", 40), ...named("after", 30)].toSorted())

      // The same service reports the status of clicks and redirects links.
      const linked = yield* bare(
        ["links", "create", "--to", "https://shop.example/p", "--product", "linked", "--base", second.url],
        env
      )
      assert.deepStrictEqual([linked.code, linked.stderr], [0, ""])
      const link = linked.stdout.trim()
      const followed = yield* Effect.promise(() => fetch(link, { redirect: "manual" }))
      assert.deepStrictEqual(
        [followed.status, followed.headers.get("location")],
        [302, "https://shop.example/p"]
      )
      const id = followed.headers.get("click-id") ?? ""
      const shown = yield* bare(["show", id], env)
      assert.strictEqual(shown.code, 0)
      for (const line of [/^status {14}stored$/m, /^product_id {10}linked$/m, /^action {14}open_product$/m]) {
        assert.match(shown.stdout, line)
      }
      assert.match(shown.stdout, /^position {12}\d+:\d+:/m)
      const unknown = yield* bare(["show", id.replace(/.$/, (last) => (last === "0" ? "1" : "0"))], env)
      assert.deepStrictEqual([unknown.code, unknown.stdout], [1, ""])
      assert.match(unknown.stderr, /There is no click/)
      assert.strictEqual((yield* bare(["show", "1234"], env)).code, 2)

      yield* proxy.stop
      const { id: spooled, receipt } = yield* record(second.url, "spooled")
      assert.strictEqual(receipt, "spooled")
      const waiting = JSON.parse((yield* bare(["show", spooled, "--json"], env)).stdout)
      assert.deepInclude(waiting, { status: "spooled", position: null })
      assert.propertyVal(waiting.click, "product_id", "spooled")
      const away = yield* Effect.promise(() => fetch(link, { redirect: "manual" }))
      assert.deepStrictEqual([away.status, away.headers.get("click-receipt")], [302, "spooled"])
      yield* proxy.start
      const late = yield* resumed.take(3)
      assert.sameMembers(
        late.map(({ data }) => data?.product_id),
        ["linked", "spooled", "linked"]
      )
    }).pipe(Effect.provide(stage))
  )

  it.live("rejects invalid options of a link", () =>
    Effect.gen(function* () {
      const create = (...args: ReadonlyArray<string>) =>
        bare(["links", "create", "--product", "p", ...args], { DATABASE_URL: "postgres://127.0.0.1:1/none" })
      for (const [args, message] of [
        [
          ["--to", "javascript:alert(1)"],
          /^clicks: --to must be an absolute http or https URL: "javascript:alert\(1\)"/
        ],
        [["--to", "shop.example"], /--to must be an absolute http or https URL/],
        [["--to", "https://shop.example", "--store", ""], /^clicks: --store is empty/],
        [
          ["--to", "https://shop.example", "--base", "clicks.example"],
          /^clicks: --base must be an http or https URL .*; it is "clicks\.example"$/m
        ]
      ] as const) {
        const { code, stderr, stdout } = yield* create(...args)
        assert.match(stderr, message)
        assert.deepStrictEqual([code, stdout], [2, ""])
      }
    }).pipe(Effect.provide(folderLayer))
  )
})
