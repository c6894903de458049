import { Effect } from "effect"
import { RawConnection } from "../../../../http/test/rawSocket.ts"
import { requestOf } from "../ClickRequest.ts"
import { scale } from "../Scale.ts"
import { Trial, underLoad } from "../Trial.ts"

const rounds = scale(1, 10)
const clicksInBatch = 20

/** Sends the first bytes of a request and disconnects. Returns the size of the whole request. */
const sendPart = async (
  { service, witness }: Trial["Service"],
  count: number,
  length: number,
  isAbrupt: boolean
) => {
  const connection = await RawConnection.open(service.port)
  const sending = witness.send(count)
  const request = requestOf(witness, sending, false)
  witness.mark(sending, length < request.length ? "incomplete" : "left")
  connection.write(request.subarray(0, length))
  // The written bytes are sent before the connection ends.
  await new Promise(setImmediate)
  connection.cut(isAbrupt)
  return request.length
}

/** Disconnects after every multiple of `step` bytes and after each of the last few. Returns how often. */
const everyByte = async (trial: Trial["Service"], count: number, step: number) => {
  const whole = await sendPart(trial, count, 1, false)
  const lengths = Array.from({ length: Math.floor(whole / step) }, (_, at) => (at + 1) * step)
  const ends = [whole + 9, whole, whole - 1, whole - 2]
  for (const length of [...lengths, ...ends]) await sendPart(trial, count, length, length % 2 === 0)
  return 1 + lengths.length + ends.length
}

/**
 * Clients disconnect after every byte of a request, by FIN and by RST. The clicks of an incomplete request are not stored; those of
 * a complete request may be.
 */
export const disconnecting = underLoad(
  { perSecond: 500 },
  Effect.gen(function* () {
    const trial = yield* Trial
    let trials = 0
    for (let round = 0; round < rounds; round++) {
      trials += yield* Effect.promise(() => everyByte(trial, 1, 1))
      trials += yield* Effect.promise(() => everyByte(trial, clicksInBatch, 53))
    }
    return trials
  })
)
