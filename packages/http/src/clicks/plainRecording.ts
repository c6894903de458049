import type { Buffer } from "node:buffer"
import type { IncomingMessage, ServerResponse } from "node:http"
import { Effect, Option } from "effect"
import { Headers, type HttpServerResponse } from "effect/http"
import { recordingAnswers } from "./RecordingAnswers.ts"
import { perOrigin } from "./RecordingCors.ts"
import type { RecordingOptions } from "./RecordingOptions.ts"
import { joined } from "./RequestBody.ts"
import { isAccepted, recorderOf } from "./recordClick.ts"
import { path } from "./recordingPaths.ts"

/** Takes a request, or leaves it to others: then it has not been touched. */
export type Taker = (request: IncomingMessage, response: ServerResponse) => boolean

// A length, nothing packed, nobody who waits for "100 Continue": all else goes the general way.
const isPlain = ({ headers, method, url }: IncomingMessage, maxBody: number): boolean =>
  url === path.one &&
  method === "POST" &&
  Number(headers["content-length"]) <= maxBody &&
  headers["content-encoding"] === undefined &&
  headers.expect === undefined &&
  isAccepted(headers["content-type"])

const whenWhole = (request: IncomingMessage, run: (body: Uint8Array) => void): void => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => run(joined(chunks)))
}

const send = (
  response: ServerResponse,
  { body, headers, status }: HttpServerResponse.HttpServerResponse
): void => {
  if (response.destroyed) return
  response.writeHead(status, headers)
  response.end(body._tag === "Uint8Array" ? (body.text ?? body.body) : undefined)
}

/**
 * Records plain clicks straight from Node's request to its response, with the same judgement and the same answers as the route
 * does. The router, a fiber for each request and its context take 10 of the 52 microseconds of processor time that a click takes in
 * this process before it is sent to the database.
 */
export const make = Effect.fnUntraced(function* (options: RecordingOptions) {
  const record = yield* recorderOf(options)
  const answersFor = perOrigin(options.corsOrigins, recordingAnswers)
  const fork = Effect.runForkWith(yield* Effect.context())

  const take: Taker = (request, response) => {
    if (!isPlain(request, options.maxBody)) return false
    const { remoteAddress } = request.socket
    whenWhole(request, (body) => {
      const sender = {
        headers: Headers.fromInput(request.headers),
        remoteAddress: Option.fromUndefinedOr(remoteAddress)
      }
      // Nobody interrupts it: a page that sends a click and is closed means the click all the same.
      fork(
        Effect.map(record(sender, body, answersFor(request.headers.origin)), (answer) =>
          send(response, answer)
        )
      )
    })
    return true
  }
  return take
})
