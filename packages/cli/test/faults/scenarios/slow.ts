import { setTimeout as wait } from "node:timers/promises"
import { Effect } from "effect"
import { RawConnection } from "../../../../http/test/rawSocket.ts"
import { noteAnswer, requestOf } from "../ClickRequest.ts"
import { scale } from "../Scale.ts"
import { acknowledged, Trial, underLoad } from "../Trial.ts"

const clients = scale(20, 300)
// A request of some 600 bytes takes longer than the second for which a plain one is waited for.
const betweenBytes = scale(3, 10)

/** Sends a click in pieces and waits for its answer. Who takes longer than a request may (30 seconds) is cut off. */
const sendSlowly = async ({ service, witness }: Trial["Service"], pieceSize: number) => {
  const connection = await RawConnection.open(service.port)
  const sending = witness.send(1)
  const request = requestOf(witness, sending, false)
  const last = request.length - 1
  for (let at = 0; at < last && connection.isOpen; at += pieceSize) {
    connection.write(request.subarray(at, Math.min(at + pieceSize, last)))
    await wait(betweenBytes)
  }
  if (!connection.isOpen) {
    witness.mark(sending, "incomplete")
    return
  }
  // Who is answered now came later: what was sent has been read, without its last byte.
  await fetch(`http://127.0.0.1:${service.port}/livez`)
  try {
    noteAnswer(witness, sending, await connection.send(request.subarray(-1)))
  } catch {}
  connection.cut()
}

/** Clients that send a byte at a time, and others that send all but the last, many of them, while others are served. */
export const slow = underLoad(
  { perSecond: 500 },
  Effect.gen(function* () {
    const trial = yield* Trial
    const others = Effect.forever(acknowledged(20))
    const sendAll = () =>
      Promise.all(
        Array.from({ length: clients }, (_, n) =>
          sendSlowly(trial, n % 2 === 0 ? 1 : Number.POSITIVE_INFINITY)
        )
      )
    yield* Effect.raceFirst(Effect.promise(sendAll), others)
    return clients
  })
)
