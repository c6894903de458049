import { Effect } from "effect"
import { RawConnection } from "../../../../http/test/rawSocket.ts"
import { DatabaseProxy } from "../../../../sql-adapter/test/DatabaseProxy.ts"
import { noteAnswer, requestOf } from "../ClickRequest.ts"
import { scale } from "../Scale.ts"
import { Trial } from "../Trial.ts"

const rounds = scale(1, 60)
const clicks = 500

const sendPoisoned = Effect.gen(function* () {
  const { service, witness } = yield* Trial
  yield* Effect.promise(async () => {
    const connection = await RawConnection.open(service.port)
    const sending = witness.send(clicks)
    witness.poisoned.add(sending.first + Math.floor(Math.random() * clicks))
    noteAnswer(witness, sending, await connection.send(requestOf(witness, sending, false)))
    connection.cut()
  })
})

/**
 * One of 500 clicks is always rejected by the database, directly and from the spool. The clicks around it must be stored, and its
 * original must be in the quarantine.
 */
export const poison = Effect.gen(function* () {
  const proxy = yield* DatabaseProxy
  for (let round = 0; round < rounds; round++) {
    yield* sendPoisoned
    yield* proxy.stop
    yield* sendPoisoned
    yield* proxy.start
    yield* sendPoisoned
  }
  return rounds * 3
})
