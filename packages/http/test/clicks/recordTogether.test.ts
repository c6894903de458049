import type { ClickReceipt } from "@clicks/core/clicks/ClickReceipt"
import type { ClickRecorder } from "@clicks/core/clicks/ClickRecorder"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Logger, Result } from "effect"
import { recordTogether } from "../../src/clicks/recordTogether.ts"
import { click } from "../TestServer.ts"

const receipt: ClickReceipt = { id: "019aa0d2-5c00-7000-8000-5f2b0c9d1e3a", outcome: "stored" }

const recorder: ClickRecorder["Service"] = {
  record: () => Effect.die("not asked"),
  recordAll: (submissions) => Effect.succeed(submissions.map(() => Result.succeed(receipt)))
}

const submission = {
  body: click,
  origin: { userId: null, ipAddress: null, userAgent: null },
  original: () => new Uint8Array()
}

describe("clicks that are recorded together", () => {
  it.live("are each answered, whatever happens at the answers before; and it is logged", () => {
    const log: Array<string> = []
    const logger = Logger.make(({ cause }) => log.push(Cause.pretty(cause)))
    return Effect.gen(function* () {
      const record = recordTogether(recorder, Effect.runForkWith(yield* Effect.context()))
      const answered = yield* Deferred.make<void>()
      record(submission, () => {
        throw new Error("this connection is broken")
      })
      record(submission, () => Deferred.doneUnsafe(answered, Effect.void))
      yield* Deferred.await(answered)
      // Whoever records after that is answered when the log has been written.
      yield* Effect.callback<void>((resume) => record(submission, () => resume(Effect.void)))
      assert.lengthOf(log, 1)
      assert.include(log[0], "this connection is broken")
    }).pipe(Effect.provide(Logger.layer([logger])))
  })
})
