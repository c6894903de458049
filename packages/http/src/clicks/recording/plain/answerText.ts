import { STATUS_CODES } from "node:http"
import type { HttpServerResponse } from "effect/http"

// Made once a second, as Node does it: this is answered tens of thousands of times a second.
let date = ""
let dateOf = 0

const httpDate = (): string => {
  const second = Math.floor(Date.now() / 1000)
  if (second !== dateOf) {
    dateOf = second
    date = new Date(second * 1000).toUTCString()
  }
  return date
}

/** The first lines of an answer in HTTP/1.1 (RFC 9112): its status and its headers. */
export const headText = ({ headers, status }: HttpServerResponse.HttpServerResponse): string =>
  Object.entries(headers).reduce(
    (text, [name, value]) => `${text}${name}: ${value}\r\n`,
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  )

/** The body of an answer that has a text or none. */
export const bodyText = ({ body }: HttpServerResponse.HttpServerResponse): string =>
  body._tag === "Uint8Array" ? (body.text ?? new TextDecoder().decode(body.body)) : ""

/** A whole answer. `connection` is the line, or the lines, that tell what becomes of the connection. */
export const answerText = (head: string, connection: string, body: string): string =>
  `${head}Date: ${httpDate()}\r\n${connection}\r\n\r\n${body}`
