import { Quarantine } from "@clicks/core/clicks/recording/Quarantine"
import * as Uuid from "@clicks/core/values/Uuid"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { suite } from "../../../core/test/contract/clicks/QuarantineContract.ts"
import * as QuarantineSql from "../../src/clicks/QuarantineSql.ts"
import * as Database from "../../src/Database.ts"
import * as TestDatabase from "../TestDatabase.ts"

suite("PostgreSQL", QuarantineSql.layer.pipe(Layer.provide(TestDatabase.layer)))

const put = (reason: string) =>
  Quarantine.use((quarantine) =>
    quarantine.put([
      {
        click_id: Uuid.make(Date.now()),
        received_at: new Date(),
        reason,
        original: new Uint8Array([0, 255])
      }
    ])
  )

layer(QuarantineSql.layer.pipe(Layer.provide(TestDatabase.layer)))("QuarantineSql", (it) => {
  it.effect("accepts a reason that quotes characters that cannot be stored", () =>
    Effect.gen(function* () {
      yield* put("unexpected \0 and \ud83d")
      const [entry] = yield* Quarantine.use((quarantine) => quarantine.list(1))
      assert.strictEqual(entry?.reason, "unexpected \ufffd and \ufffd")
    })
  )

  it.effect("fails when the database is down", () =>
    Effect.gen(function* () {
      const nowhere = Redacted.make("postgres://postgres@127.0.0.1:1/clicks")
      const error = yield* put("any").pipe(
        Effect.flip,
        Effect.provide(QuarantineSql.layer.pipe(Layer.provide(Database.layer({ url: nowhere }))), {
          local: true
        })
      )
      assert.strictEqual(error.message, "The quarantine cannot be reached (put)")
    })
  )
})
