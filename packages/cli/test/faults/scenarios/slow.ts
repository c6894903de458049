import { setTimeout as wait } from "node:timers/promises"
import { Effect } from "effect"
import { noteAnswer, requestOf } from "../ClickRequest.ts"
import { HttpConnection } from "../HttpConnection.ts"
import { scale } from "../Scale.ts"
import { acknowledged, Trial, underLoad } from "../Trial.ts"

const clients = scale(20, 300)
const betweenBytes = scale(1, 10)

/** Sends a click byte by byte and waits for its answer. Who takes longer than a request may (30 seconds) is cut off. */
const sendSlowly = async ({ service, witness }: Trial["Service"]) => {
  const connection = await HttpConnection.open(service.port)
  const sending = witness.send(1)
  const request = requestOf(witness, sending, false)
  for (let at = 0; at < request.length - 1 && connection.isOpen; at++) {
    connection.write(request.subarray(at, at + 1))
    await wait(betweenBytes)
  }
  if (!connection.isOpen) {
    witness.mark(sending, "incomplete")
    return
  }
  try {
    noteAnswer(witness, sending, await connection.send(request.subarray(-1)))
  } catch {}
  connection.cut()
}

/** Clients that send a byte at a time, many of them, while others are served. */
export const slow = underLoad(
  { perSecond: 500 },
  Effect.gen(function* () {
    const trial = yield* Trial
    const others = Effect.forever(acknowledged(20))
    yield* Effect.promise(() => Promise.all(Array.from({ length: clients }, () => sendSlowly(trial)))).pipe(
      Effect.raceFirst(others)
    )
    return clients
  })
)
