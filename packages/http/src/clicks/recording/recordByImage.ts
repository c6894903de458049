import { knownFields } from "@clicks/core/clicks/recording/knownFields"
import { Effect } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { imageAnswers } from "./RecordingAnswers.ts"
import { corsHeaders } from "./RecordingCors.ts"
import type { RecordingOptions } from "./RecordingOptions.ts"
import * as recordOne from "./recordOne.ts"

/** The fields of a query. A repeated field gets an array of its values, which no field of a click accepts. */
const fieldsOf = (query: string): Readonly<Record<string, unknown>> => {
  const { key: _, ...parameters } = Object.groupBy(new URLSearchParams(query), ([name]) => name)
  return Object.fromEntries(
    Object.entries(parameters).map(([name, found = []]) => {
      const [value, ...others] = found.map(([, text]) => text)
      return [name, others.length === 0 ? value : [value, ...others]]
    })
  )
}

const encoder = new TextEncoder()

/** GET /api/events/product-click.gif: one click, as query parameters. HEAD records nothing. Never fails. */
export const route = Effect.fnUntraced(function* (options: RecordingOptions) {
  const { recordFields, senderOf } = yield* recordOne.make(options)
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const answers = imageAnswers(corsHeaders(options.corsOrigins, request.headers["origin"]))
    if (request.method === "HEAD") return Effect.succeed(answers.image)
    const start = request.url.indexOf("?")
    const query = start === -1 ? "" : request.url.slice(start + 1)
    const sender = { ...senderOf(request), answers }
    return Effect.callback<HttpServerResponse.HttpServerResponse>((resume) =>
      recordFields(sender, knownFields(fieldsOf(query)), encoder.encode(query), (response) =>
        resume(Effect.succeed(response))
      )
    )
  })
})
