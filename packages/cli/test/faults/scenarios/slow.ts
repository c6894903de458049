import { setTimeout as wait } from "node:timers/promises"
import { Effect } from "effect"
import { RawConnection } from "../../../../http/test/rawSocket.ts"
import { noteAnswer, requestOf } from "../ClickRequest.ts"
import { scale } from "../Scale.ts"
import { acknowledged, Trial, underLoad } from "../Trial.ts"

const clients = scale(20, 300)
// A request of some 600 bytes then takes longer than the second that the plain parser waits.
const betweenBytes = scale(3, 10)

/** Sends a click in pieces and waits for its response. The service closes the connection if a request takes more than 30 seconds. */
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
  // This request arrives later. When it has a response, the service has read all that was sent before, except the last byte.
  await fetch(`http://127.0.0.1:${service.port}/livez`)
  try {
    noteAnswer(witness, sending, await connection.send(request.subarray(-1)))
  } catch {}
  connection.cut()
}

/** Many slow clients, some sending one byte at a time and some all bytes but the last, while other clients are served. */
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
