import { STATUS_CODES } from "node:http"
import type { HttpServerResponse } from "effect/http"

// Formatted once a second, as Node does: tens of thousands of responses a second share it.
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

/**
 * Formats a response for HTTP/1.1 (RFC 9112) if it bypasses Node's HTTP server. `connection` contains the header lines about the
 * connection. The body must be text or empty.
 */
export const rawResponse = (
  { body, headers, status }: HttpServerResponse.HttpServerResponse,
  connection: string
): string => {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`
  const text = body._tag === "Uint8Array" ? (body.text ?? new TextDecoder().decode(body.body)) : ""
  return `${head}Date: ${httpDate()}\r\n${connection}\r\n\r\n${text}`
}
