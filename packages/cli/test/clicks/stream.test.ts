import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { eventStream } from "../../../http/test/clicks/eventStream.ts"
import * as TestDatabase from "../../../sql-adapter/test/TestDatabase.ts"
import { Folder, folderLayer } from "../clicks.ts"
import { runService } from "../service/runningService.ts"

const adminKey = "an-admin-key-for-the-tests"
const asAdmin = { "x-api-key": adminKey }
const stage = Layer.merge(TestDatabase.layer, folderLayer)

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
      const env = {
        DATABASE_URL: Redacted.value((yield* TestDatabase.TestDatabase).url),
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
    }).pipe(Effect.provide(stage))
  )
})
