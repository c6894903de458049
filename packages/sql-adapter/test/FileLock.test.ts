import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import * as FileLock from "../src/FileLock.ts"
import { temporaryFolder } from "./embedded/embeddedProcesses.ts"

const file = Effect.map(temporaryFolder, (folder) => join(folder, "lock"))
const tagOf = <A, R>(lock: Effect.Effect<A, { readonly _tag: string }, R>) =>
  Effect.map(Effect.flip(Effect.scoped(lock)), (error) => error._tag)

describe("FileLock", () => {
  it.live("is held exclusively by one holder, or shared by many", () =>
    Effect.gen(function* () {
      const lock = yield* file
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* FileLock.alone(lock)
          assert.strictEqual(yield* tagOf(FileLock.alone(lock)), "FileLockBusy")
          assert.strictEqual(yield* tagOf(FileLock.shared(lock)), "FileLockBusy")
        })
      )
      yield* FileLock.shared(lock)
      yield* FileLock.shared(lock)
      assert.strictEqual(yield* tagOf(FileLock.alone(lock)), "FileLockBusy")
    })
  )

  it.live("is waited for, but not forever", () =>
    Effect.gen(function* () {
      const lock = yield* file
      const [taken, done] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const holding = Effect.andThen(Deferred.succeed(taken, undefined), Deferred.await(done))
      yield* Effect.forkChild(FileLock.whileAlone(lock, 0, holding))
      yield* Deferred.await(taken)
      assert.strictEqual(yield* tagOf(FileLock.whileAlone(lock, 50, Effect.void)), "FileLockBusy")

      const waiting = yield* Effect.forkChild(FileLock.whileAlone(lock, 10_000, Effect.succeed("mine")))
      yield* Deferred.succeed(done, undefined)
      assert.strictEqual(yield* Fiber.join(waiting), "mine")
    })
  )

  it.live("reports a file that cannot be used as a lock", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      assert.strictEqual(yield* tagOf(FileLock.alone(folder)), "FileLockUnusable")
    })
  )
})
