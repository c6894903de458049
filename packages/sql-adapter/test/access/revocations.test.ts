import { ApiKeys, type RevocationSignal } from "@clicks/core/access/ApiKeys"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Queue, Stream } from "effect"
import * as ApiKeysSql from "../../src/access/ApiKeysSql.ts"
import * as Database from "../../src/Database.ts"
import * as DatabaseProxy from "../DatabaseProxy.ts"
import * as TestDatabase from "../TestDatabase.ts"

const throughProxy = ApiKeysSql.layer.pipe(
  Layer.provide(Layer.unwrap(DatabaseProxy.DatabaseProxy.useSync(({ url }) => Database.layer({ url })))),
  Layer.provideMerge(DatabaseProxy.layer),
  Layer.provideMerge(TestDatabase.layer)
)

layer(throughProxy, { excludeTestServices: true })("a listener for revocations", (it) => {
  it.effect(
    "reports Deaf when its connection is lost, and receives revocations after it has reconnected",
    () =>
      Effect.gen(function* () {
        const proxy = yield* DatabaseProxy.DatabaseProxy
        const { create, revocations } = yield* ApiKeys
        const heard = yield* Queue.unbounded<RevocationSignal>()
        yield* Effect.forkScoped(Stream.runForEach(revocations, (signal) => Queue.offer(heard, signal)))
        const until = (tag: RevocationSignal["_tag"]) =>
          Effect.repeat(Queue.take(heard), { until: (signal) => signal._tag === tag })
        yield* until("Listening")
        const { key } = yield* create({ user_id: "anna", role: "reader", name: null })
        yield* proxy.stop
        yield* until("Deaf")
        yield* proxy.start
        yield* until("Listening")
        const elsewhere = ApiKeysSql.layer.pipe(
          Layer.provide(Layer.unwrap(TestDatabase.TestDatabase.useSync(({ url }) => Database.layer({ url }))))
        )
        yield* ApiKeys.use(({ revoke }) => revoke(key.id)).pipe(Effect.provide(elsewhere, { local: true }))
        assert.deepStrictEqual(yield* until("Revoked"), { _tag: "Revoked", id: key.id })
      })
  )
})
