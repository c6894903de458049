import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import * as TestDatabase from "../../../sql-adapter/test/TestDatabase.ts"
import { Folder, folderLayer } from "../clicks.ts"
import { runService } from "./runningService.ts"

const adminKey = "an-admin-key-for-the-tests"
const stage = Layer.merge(TestDatabase.layer, folderLayer)

const total = (url: string) =>
  Effect.promise(async () => {
    const answer = await fetch(`${url}/api/events/product-clicks`, { headers: { "x-api-key": adminKey } })
    const { total } = (await answer.json()) as { readonly total: number }
    return total
  })

const receipt = (url: string) =>
  Effect.promise(async () => {
    const body = JSON.stringify({ product_id: "p-1", action: "view", source: "web" })
    const headers = { "content-type": "application/json" }
    const answer = await fetch(`${url}/api/events/product-click`, { method: "POST", headers, body })
    return answer.headers.get("click-receipt")
  })

const counted = SqlClient.SqlClient.use(
  (sql) => sql<{ readonly n: number }>`select n::integer from click_keys where field = ''`
)

// A table of five clicks, on which an index cannot be built while another transaction writes.
const holdUp = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into clicks (id, product_id, action, source, device_type, occurred_at, received_at)
    select gen_random_uuid(), 'p-1', 'view', 'web', 'desktop', now(), now() from generate_series(1, 5)`
  yield* sql`drop index clicks_by_arrival`
  const [isHeld, mayEnd] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const writing = yield* sql`lock table clicks in row exclusive mode`.pipe(
    Effect.andThen(Deferred.succeed(isHeld, undefined)),
    Effect.andThen(Deferred.await(mayEnd)),
    sql.withTransaction,
    Effect.forkScoped
  )
  yield* Deferred.await(isHeld)
  return Effect.andThen(Deferred.succeed(mayEnd, undefined), Fiber.join(writing))
})

describe("a service while an index on its table is built", () => {
  it.live("spools new clicks, lists stored ones without counting, and catches up", () =>
    Effect.gen(function* () {
      const end = yield* holdUp
      const { url: database } = yield* TestDatabase.TestDatabase
      const { path } = yield* Folder
      const { url } = yield* runService(["serve"], {
        DATABASE_URL: Redacted.value(database),
        CLICKS_DATA_DIR: join(path, "data"),
        CLICKS_ADMIN_KEY: adminKey
      })
      assert.strictEqual(yield* receipt(url), "spooled")
      assert.strictEqual(yield* total(url), 5)
      assert.deepStrictEqual(yield* counted, [])

      yield* end
      yield* Effect.repeat(total(url), {
        until: (found) => found === 6,
        schedule: Schedule.spaced("20 millis")
      })
      yield* Effect.repeat(counted, {
        until: ([all]) => all?.n === 6,
        schedule: Schedule.spaced("20 millis")
      })
      yield* Effect.repeat(receipt(url), { until: (answer) => answer === "stored" })
    }).pipe(Effect.scoped, Effect.provide(stage))
  )
})
