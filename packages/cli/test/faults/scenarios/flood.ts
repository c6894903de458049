import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { RawConnection } from "../../../../http/test/rawSocket.ts"
import { noteAnswer, requestOf } from "../ClickRequest.ts"
import { scale } from "../Scale.ts"
import { Trial, underLoad } from "../Trial.ts"

const rounds = scale(1, 10)
// More clicks than the limit of single clicks that wait in memory.
const requests = 25
const clicksInRequest = 1_000

const sendAtOnce = async ({ service, witness }: Trial["Service"]) => {
  const connections = await Promise.all(
    Array.from({ length: requests }, () => RawConnection.open(service.port))
  )
  const sendings = connections.map((connection) => {
    const sending = witness.send(clicksInRequest)
    return { connection, sending, request: requestOf(witness, sending, false) }
  })
  await Promise.all(
    sendings.map(async ({ connection, request, sending }) => {
      noteAnswer(witness, sending, await connection.send(request))
      connection.cut()
    })
  )
}

/** 25 concurrent requests with 1,000 clicks each, while other clients send single clicks. No click may be dropped. */
export const flood = underLoad(
  { perSecond: 500, batches: 0 },
  Effect.gen(function* () {
    const trial = yield* Trial
    const before = trial.witness.told.dropped
    for (let round = 0; round < rounds; round++) yield* Effect.promise(() => sendAtOnce(trial))
    assert.strictEqual(trial.witness.told.dropped, before)
    return rounds
  })
)
