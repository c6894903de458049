import { ClickArrivals } from "@clicks/core/clicks/ClickArrivals"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import { Quarantine } from "@clicks/core/clicks/recording/Quarantine"
import { Spool } from "@clicks/core/clicks/recording/Spool"
import * as SpoolMemory from "@clicks/core/testing/SpoolMemory"
import { PortError } from "@clicks/core/values/PortError"
import * as Uuid from "@clicks/core/values/Uuid"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { spooledClick } from "../../../core/test/contract/clicks/spooledClicks.ts"
import * as ClickArrivalsSql from "../../../sql-adapter/src/clicks/ClickArrivalsSql.ts"
import * as ClickStoreSql from "../../../sql-adapter/src/clicks/ClickStoreSql.ts"
import * as QuarantineSql from "../../../sql-adapter/src/clicks/QuarantineSql.ts"
import * as TestDatabase from "../../../sql-adapter/test/TestDatabase.ts"
import { adminKey, click, type Given, many, one, posting, testServer } from "../TestServer.ts"
import { eventStream } from "./eventStream.ts"

const adapters = Layer.mergeAll(
  ClickStoreSql.layer,
  ClickArrivalsSql.layer,
  QuarantineSql.layer,
  SpoolMemory.layer()
).pipe(Layer.provideMerge(TestDatabase.layer))

const onDatabase = Effect.fnUntraced(function* (given: Given = {}) {
  return yield* testServer({
    store: Layer.succeed(ClickStore, yield* ClickStore),
    arrivals: Layer.succeed(ClickArrivals, yield* ClickArrivals),
    quarantine: Layer.succeed(Quarantine, yield* Quarantine),
    spool: Layer.succeed(Spool, yield* Spool),
    ...given
  })
})

interface Status {
  readonly status: string
  readonly click: { readonly product_id: string } | null
  readonly position: string | null
  readonly reasons: ReadonlyArray<string>
}

layer(adapters, { excludeTestServices: true })("GET /api/events/product-clicks/{id}", (it) => {
  it.effect("shows a stored click, its position for followers, and why its original is kept", () =>
    Effect.gen(function* () {
      const server = yield* onDatabase()
      const recorded = yield* server.ask(one, posting({ ...click, visitor_lat: "north" }))
      const id = recorded.headers.get("click-id") ?? ""
      const { json, status } = yield* server.askAdmin(`${many}/${id.toUpperCase()}`)
      assert.strictEqual(status, 200)
      const found = json as Status
      const listed = (yield* server.askAdmin(many)).json as {
        readonly events: ReadonlyArray<Status["click"]>
      }
      assert.deepStrictEqual([found.status, found.click], ["stored", listed.events[0] ?? null])
      assert.lengthOf(found.reasons, 1)
      assert.match(found.reasons[0] ?? "", /^visitor_lat /)
      yield* server.ask(one, posting({ ...click, product_id: "next" }))
      const stream = yield* eventStream(`${server.url}${many}/stream?after=${found.position}`, {
        "X-API-Key": adminKey
      })
      const [next] = yield* stream.take(1)
      assert.strictEqual(next?.data?.product_id, "next")
    })
  )

  it.effect("shows a click that waits in the spool, even while the database is unavailable", () =>
    Effect.gen(function* () {
      const { append } = yield* Spool
      const waiting = spooledClick()
      yield* append([spooledClick(), waiting])
      const arrivals = yield* ClickArrivals
      const away = new PortError({ port: "database", operation: "find", cause: "away" })
      const cut = { ...arrivals, find: () => Effect.fail(away as never) }
      for (const given of [{}, { arrivals: Layer.succeed(ClickArrivals, cut) }]) {
        const server = yield* onDatabase(given)
        const { json } = yield* server.askAdmin(`${many}/${waiting.event.id}`)
        assert.deepInclude(json, { status: "spooled", position: null, reasons: [] })
        assert.propertyVal((json as Status).click, "product_id", waiting.event.product_id)
      }
      const server = yield* onDatabase({ arrivals: Layer.succeed(ClickArrivals, cut) })
      const { headers, json, status } = yield* server.askAdmin(`${many}/${Uuid.make(0)}`)
      assert.deepStrictEqual([status, headers.get("retry-after")], [503, "10"])
      assert.match(
        (json as { readonly error: string }).error,
        /^The database, its archive or the spool is unavailable/
      )
    })
  )

  it.effect("finds a click that moves from the spool to the database during the search", () =>
    Effect.gen(function* () {
      const store = yield* ClickStore
      const { event } = spooledClick()
      const spool = yield* Spool
      const leaving = Spool.of({
        ...spool,
        find: (id) => Effect.andThen(Effect.orDie(store.insert([event])), spool.find(id))
      })
      const server = yield* onDatabase({ spool: Layer.succeed(Spool, leaving) })
      assert.deepInclude((yield* server.askAdmin(`${many}/${event.id}`)).json, { status: "stored" })
    })
  )

  it.effect("distinguishes a rejected click, an unknown one and an invalid id", () =>
    Effect.gen(function* () {
      const server = yield* onDatabase()
      const rejected = Uuid.make(0)
      const { put } = yield* Quarantine
      const original = new Uint8Array()
      yield* put([
        { click_id: rejected, received_at: new Date(), reason: "rejected by the database", original }
      ])
      assert.deepStrictEqual((yield* server.askAdmin(`${many}/${rejected}`)).json, {
        status: "quarantined",
        click: null,
        position: null,
        reasons: ["rejected by the database"]
      })
      const id = Uuid.make(0)
      const unknown = yield* server.askAdmin(`${many}/${id}`)
      assert.strictEqual(unknown.status, 404)
      assert.deepStrictEqual(unknown.json, {
        error: `There is no click ${id}: it is neither stored nor waiting on this machine`
      })
      const wrong = yield* server.askAdmin(`${many}/1234`)
      assert.strictEqual(wrong.status, 400)
      assert.deepStrictEqual(wrong.json, {
        error: "The id of a click is a UUID, as in its Click-Id header"
      })
      assert.strictEqual((yield* server.ask(`${many}/${id}`)).status, 401)
    })
  )
})
