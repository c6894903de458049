import type { Answer } from "../../../http/test/rawSocket.ts"
import { clickOf, userAgentOf } from "./NumberedClick.ts"
import type { Acknowledgement, Sending, Witness } from "./Witness.ts"

const one = "/api/events/product-click"
const many = "/api/events/product-clicks"

/** The bytes of a request with these clicks: to the endpoint for one click or, if there are several, to the one for many. */
export const requestOf = (witness: Witness, { count, first }: Sending, isKeyed: boolean): Buffer => {
  const clicks = Array.from({ length: count }, (_, index) =>
    clickOf(first + index, witness.productId(first + index))
  )
  const body = Buffer.from(JSON.stringify(count === 1 ? clicks[0] : clicks))
  const head = [
    `POST ${count === 1 ? one : many} HTTP/1.1`,
    "Host: 127.0.0.1",
    "Content-Type: application/json",
    `User-Agent: ${userAgentOf(first)}`,
    ...(isKeyed ? [`Idempotency-Key: ${witness.key(first)}`] : []),
    `Content-Length: ${body.length}`
  ]
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), body])
}

const header = (answer: Answer, name: string) =>
  new RegExp(`^${name}: *(\\S+)`, "im").exec(answer.headers)?.[1]

const nothing: Acknowledgement = { stored: 0, spooled: 0, duplicate: 0, dropped: 0 }

/** Records the response with the witness. */
export const noteAnswer = (witness: Witness, sending: Sending, answer: Answer): void => {
  if (answer.status !== 200) witness.refuse(sending, `${answer.status} ${answer.body}`)
  else if (sending.count === 1) {
    const receipt = header(answer, "click-receipt") ?? "dropped"
    witness.acknowledge(sending, { ...nothing, [receipt]: 1 }, header(answer, "click-id"))
  } else {
    const { dropped, duplicates, errors, spooled, stored } = JSON.parse(answer.body)
    if (errors.length > 0) witness.refuse(sending, answer.body)
    else witness.acknowledge(sending, { stored, spooled, dropped, duplicate: duplicates })
  }
}
