import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Ref } from "effect"
import { TestClock } from "effect/testing"
import { anonymous, authenticated } from "../../src/access/Caller.ts"
import * as OriginTrust from "../../src/access/OriginTrust.ts"
import type { TrustedOrigin } from "../../src/access/TrustedOrigin.ts"
import { TrustedOrigins } from "../../src/access/TrustedOrigins.ts"
import * as changes from "../../src/access/trustedOriginChanges.ts"
import { PortError } from "../../src/values/PortError.ts"
import * as TrustedOriginsMemory from "../contract/access/TrustedOriginsMemory.ts"

const reader = authenticated(null, "reader")
const office = { address: "10.1.2.3", origin: null }
const shop = { address: "192.0.2.1", origin: "https://shop.example" }

const callerOf = (client: OriginTrust.Client) =>
  OriginTrust.OriginTrust.use((trust) => trust.callerOf(client))
const mayRead = (origin: string) => OriginTrust.OriginTrust.use((trust) => trust.mayRead(origin))
const forget = OriginTrust.OriginTrust.use((trust) => trust.forget)

const trusting = (options: OriginTrust.OriginTrustOptions) =>
  OriginTrust.layer(options).pipe(Layer.provideMerge(TrustedOriginsMemory.layer))

const entry = (value: string): TrustedOrigin => ({
  id: value,
  kind: "address",
  value,
  name: null,
  enabled: true,
  created_at: new Date(0),
  updated_at: new Date(0)
})

/** A list that simulates changes by another process and counts how often it is read. */
const listed = Effect.gen(function* () {
  const answer = yield* Ref.make<TrustedOrigins["Service"]["list"]>(Effect.succeed([]))
  const reads = yield* Ref.make(0)
  const list = Ref.update(reads, (count) => count + 1).pipe(Effect.andThen(Ref.get(answer)), Effect.flatten)
  const trust = OriginTrust.layer({ trustOriginHeader: false }).pipe(
    Layer.provide(Layer.mock(TrustedOrigins, { list }))
  )
  return { answer, reads, trust }
})

const away = Effect.fail(new PortError({ port: "trusted origins", operation: "list", cause: "away" }))

describe("OriginTrust", () => {
  it.effect("makes a trusted address a reader without a user id, never an admin", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* callerOf(office), anonymous)
      yield* changes.add({ kind: "address", value: "10.0.0.0/8" })
      assert.deepStrictEqual(yield* callerOf(office), reader)
      assert.deepStrictEqual(yield* callerOf({ ...office, address: "11.0.0.1" }), anonymous)
      assert.deepStrictEqual(yield* callerOf({ ...office, address: null }), anonymous)
    }).pipe(Effect.provide(trusting({ trustOriginHeader: false })))
  )

  it.effect("uses an Origin header for CORS only", () =>
    Effect.gen(function* () {
      yield* changes.add({ kind: "domain", value: "shop.example" })
      yield* changes.add({ kind: "pattern", value: "*.shops.example" })
      assert.deepStrictEqual(yield* callerOf(shop), anonymous)
      assert.deepStrictEqual(yield* callerOf({ ...shop, origin: "https://a.shops.example" }), anonymous)
      assert.isTrue(yield* mayRead("https://shop.example"))
      assert.isTrue(yield* mayRead("https://a.shops.example"))
      assert.isFalse(yield* mayRead("https://evil.example"))
      const trust = yield* OriginTrust.OriginTrust
      assert.deepStrictEqual((["address", "domain", "pattern"] as const).map(trust.effectOf), [
        "bypass",
        "cors",
        "cors"
      ])
    }).pipe(Effect.provide(trusting({ trustOriginHeader: false })))
  )

  it.effect("makes a client a reader by its Origin header if the server trusts it", () =>
    Effect.gen(function* () {
      yield* changes.add({ kind: "domain", value: "shop.example" })
      yield* changes.add({ kind: "pattern", value: "*.shops.example" })
      assert.deepStrictEqual(yield* callerOf(shop), reader)
      assert.deepStrictEqual(yield* callerOf({ address: null, origin: "https://a.shops.example" }), reader)
      assert.deepStrictEqual(yield* callerOf({ ...shop, origin: "https://evil.example" }), anonymous)
      const trust = yield* OriginTrust.OriginTrust
      assert.deepStrictEqual((["address", "domain", "pattern"] as const).map(trust.effectOf), [
        "bypass",
        "bypass",
        "bypass"
      ])
    }).pipe(Effect.provide(trusting({ trustOriginHeader: true })))
  )

  it.effect("applies changes made in this process at once", () =>
    Effect.gen(function* () {
      const added = yield* changes.add({ kind: "address", value: "10.0.0.0/8" })
      assert.deepStrictEqual(yield* callerOf(office), reader)
      yield* changes.update(added.id, { enabled: false })
      assert.deepStrictEqual(yield* callerOf(office), anonymous)
      yield* changes.update(added.id, { enabled: true, value: "10.1.2.3" })
      assert.deepStrictEqual(yield* callerOf(office), reader)
      yield* changes.remove(added.id)
      assert.deepStrictEqual(yield* callerOf(office), anonymous)
    }).pipe(Effect.provide(trusting({ trustOriginHeader: false })))
  )

  it.effect("applies changes made elsewhere after five minutes, and reads the list once in between", () =>
    Effect.gen(function* () {
      const { answer, reads, trust } = yield* listed
      yield* Effect.gen(function* () {
        assert.deepStrictEqual(yield* callerOf(office), anonymous)
        yield* Ref.set(answer, Effect.succeed([entry("10.0.0.0/8")]))
        yield* TestClock.adjust("299 seconds")
        assert.deepStrictEqual(yield* callerOf(office), anonymous)
        assert.strictEqual(yield* Ref.get(reads), 1)
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(yield* callerOf(office), reader)
        yield* Ref.set(answer, Effect.succeed([]))
        yield* TestClock.adjust("5 minutes")
        assert.deepStrictEqual(yield* callerOf(office), anonymous)
        assert.strictEqual(yield* Ref.get(reads), 3)
      }).pipe(Effect.provide(trust))
    })
  )

  it.effect("trusts no one while the list cannot be read, and reads it again after five seconds", () =>
    Effect.gen(function* () {
      const { answer, reads, trust } = yield* listed
      yield* Effect.gen(function* () {
        yield* Ref.set(answer, Effect.succeed([entry("10.0.0.0/8")]))
        assert.deepStrictEqual(yield* callerOf(office), reader)
        yield* Ref.set(answer, away)
        yield* TestClock.adjust("5 minutes")
        assert.deepStrictEqual(yield* callerOf(office), anonymous)
        assert.isFalse(yield* mayRead("https://shop.example"))
        assert.strictEqual(yield* Ref.get(reads), 2)
        yield* Ref.set(answer, Effect.succeed([entry("10.0.0.0/8")]))
        yield* TestClock.adjust("5 seconds")
        assert.deepStrictEqual(yield* callerOf(office), reader)
      }).pipe(Effect.provide(trust))
    })
  )

  it.effect("stops waiting for the list after three seconds", () =>
    Effect.gen(function* () {
      const { answer, trust } = yield* listed
      yield* Ref.set(answer, Effect.never)
      yield* Effect.gen(function* () {
        const asking = yield* Effect.forkChild(callerOf(office))
        yield* TestClock.adjust("3 seconds")
        assert.deepStrictEqual(yield* Fiber.join(asking), anonymous)
      }).pipe(Effect.provide(trust))
    })
  )

  it.effect("reads the list once for concurrent clients, even if the first one disconnects", () =>
    Effect.gen(function* () {
      const { answer, reads, trust } = yield* listed
      const gate = yield* Deferred.make<ReadonlyArray<TrustedOrigin>>()
      yield* Ref.set(answer, Deferred.await(gate))
      yield* Effect.gen(function* () {
        const [first, ...others] = yield* Effect.all(
          Array.from({ length: 20 }, () => Effect.forkChild(callerOf(office), { startImmediately: true }))
        )
        if (first !== undefined) yield* Fiber.interrupt(first)
        yield* Deferred.succeed(gate, [entry("10.0.0.0/8")])
        for (const other of others) assert.deepStrictEqual(yield* Fiber.join(other), reader)
        assert.strictEqual(yield* Ref.get(reads), 1)
      }).pipe(Effect.provide(trust))
    })
  )

  it.effect("discards a read that began before a change", () =>
    Effect.gen(function* () {
      const { answer, trust } = yield* listed
      const gate = yield* Deferred.make<ReadonlyArray<TrustedOrigin>>()
      yield* Ref.set(answer, Deferred.await(gate))
      yield* Effect.gen(function* () {
        const early = yield* Effect.forkChild(callerOf(office), { startImmediately: true })
        yield* Ref.set(answer, Effect.succeed([]))
        yield* forget
        yield* Deferred.succeed(gate, [entry("10.0.0.0/8")])
        assert.deepStrictEqual(yield* Fiber.join(early), reader)
        assert.deepStrictEqual(yield* callerOf(office), anonymous)
      }).pipe(Effect.provide(trust))
    })
  )
})

describe("trustedOriginChanges", () => {
  it.layer(trusting({ trustOriginHeader: false }))((it) => {
    it.effect("changes only the given fields", () =>
      Effect.gen(function* () {
        const added = yield* changes.add({ kind: "domain", value: "shop.example", name: "shop" })
        yield* TestClock.adjust("1 minute")
        const disabled = yield* Effect.fromOption(yield* changes.update(added.id, { enabled: false }))
        assert.deepStrictEqual(disabled, { ...added, enabled: false, updated_at: new Date(60_000) })
        const renamed = yield* Effect.fromOption(
          yield* changes.update(added.id.toUpperCase(), { name: null, value: undefined })
        )
        assert.deepStrictEqual(renamed, { ...disabled, name: null })
        const moved = yield* Effect.fromOption(
          yield* changes.update(added.id, { kind: "address", value: "10.0.0.1/8" })
        )
        assert.deepInclude(moved, { kind: "address", value: "10.0.0.0/8" })
      })
    )

    it.effect("rejects an update that makes an entry invalid or a duplicate", () =>
      Effect.gen(function* () {
        const one = yield* changes.add({ kind: "domain", value: "one.example" })
        yield* changes.add({ kind: "domain", value: "two.example" })
        const misfit = yield* Effect.flip(changes.update(one.id, { kind: "address" }))
        assert.match(misfit.message, /^value must be an IP address/)
        const repeated = yield* Effect.flip(changes.update(one.id, { value: "TWO.example" }))
        assert.strictEqual(repeated.message, "There is an entry with the value two.example already")
        const again = yield* Effect.flip(changes.add({ kind: "domain", value: "one.example." }))
        assert.strictEqual(again._tag, "RepeatedTrustedOrigin")
      })
    )

    it.effect("fails for an unknown id", () =>
      Effect.gen(function* () {
        for (const id of ["", "x", "019aa0d2-5c00-7000-8000-5f2b0c9d1e3a"]) {
          assert.isTrue((yield* changes.update(id, { kind: "nonsense" }))._tag === "None")
          assert.isTrue((yield* changes.remove(id))._tag === "None")
        }
      })
    )
  })
})
