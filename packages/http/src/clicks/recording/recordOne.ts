import { ClickRecorder } from "@clicks/core/clicks/recording/ClickRecorder"
import type { ClickOrigin } from "@clicks/core/clicks/recording/ClickSubmission"
import type { KnownFields } from "@clicks/core/clicks/recording/knownFields"
import { Cause, Clock, Effect } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { Authentication } from "../../access/Authentication.ts"
import * as RequestBody from "../../requests/RequestBody.ts"
import * as ClickBody from "./ClickBody.ts"
import { type Origin, originOf, type Sender } from "./clickOrigin.ts"
import * as IdempotencyKey from "./IdempotencyKey.ts"
import { type RecordingAnswers, recordingAnswers } from "./RecordingAnswers.ts"
import { corsHeaders } from "./RecordingCors.ts"
import type { RecordingOptions } from "./RecordingOptions.ts"
import { fieldsIgnored } from "./recordingNotices.ts"

const accepted = new Set(["", "application/json", "text/plain"])

/** Whether a click may have this `Content-Type`. */
export const isAccepted = (contentType: string | undefined): boolean =>
  accepted.has(RequestBody.mediaType(contentType))

/** What requests with the same headers and path from the same address share. */
export interface ClickSender extends IdempotencyKey.IdempotencyKey {
  readonly answers: Pick<RecordingAnswers, "recorded" | "refused">
  readonly origin: Origin
}

type Respond = (response: HttpServerResponse.HttpServerResponse) => void

/**
 * Records single clicks: POST /api/events/product-click, section 4.1 of the specification. Never fails, and responds exactly once.
 *
 * Uses callbacks instead of a fiber for each click: this path determines how many clicks a machine can record.
 */
export const make = Effect.fnUntraced(function* ({ corsOrigins, trustedProxies }: RecordingOptions) {
  const recorder = yield* ClickRecorder
  const authentication = yield* Authentication
  const fork = Effect.runForkWith(yield* Effect.context())

  const senderOf = (sender: Sender): ClickSender => ({
    answers: recordingAnswers(corsHeaders(corsOrigins, sender.headers["origin"])),
    origin: originOf(sender, trustedProxies, authentication),
    ...IdempotencyKey.of(sender)
  })

  /** Records a click with these fields. */
  const recordFields = (
    { answers, conflict, key, notices, origin }: ClickSender,
    { body, ignored }: KnownFields,
    original: Uint8Array,
    respond: Respond,
    receivedAt?: number
  ): void => {
    if (conflict !== undefined) {
      respond(answers.refused(400, conflict))
      return
    }
    const allNotices = ignored.length === 0 ? notices : [...notices, ...fieldsIgnored(ignored)]
    const offer = (from: ClickOrigin): void => {
      const id = key === undefined ? undefined : IdempotencyKey.idOf(from.userId, key)
      try {
        recorder.offer({ body, origin: from, original: () => original, id, receivedAt }, (result) =>
          respond(answers.recorded(result, allNotices))
        )
      } catch (defect) {
        fork(Effect.logError("Recording a click failed", Cause.die(defect)))
        respond(answers.recorded(undefined, allNotices))
      }
    }
    // Never interrupted: the click is recorded even if the page that sent it is closed.
    if (Effect.isEffect(origin)) fork(Effect.map(origin, offer))
    else offer(origin)
  }

  /** Records the click in a JSON body. `receivedAt` is the time at which the request began to arrive, by default now. */
  const record = (sender: ClickSender, original: Uint8Array, respond: Respond, receivedAt?: number): void => {
    const fields = ClickBody.fromBytes(original)
    if (fields === undefined) respond(sender.answers.refused(400, "The body must be JSON in UTF-8"))
    else recordFields(sender, fields, original, respond, receivedAt)
  }

  return { senderOf, record, recordFields }
})

/** The route for single clicks that do not bypass Node's HTTP server (`PlainConnections`). */
export const route = Effect.fnUntraced(function* (options: RecordingOptions) {
  const { record, senderOf } = yield* make(options)
  const clock = yield* Clock.Clock
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const receivedAt = clock.currentTimeMillisUnsafe()
    const sender = senderOf(request)
    const { refused } = sender.answers
    if (!isAccepted(request.headers["content-type"])) {
      return Effect.succeed(
        refused(415, "Unsupported content type. Send the click as application/json or text/plain")
      )
    }
    return Effect.matchEffect(RequestBody.bytes(request, options.maxBody), {
      onSuccess: (original) =>
        Effect.callback<HttpServerResponse.HttpServerResponse>((resume) =>
          record(sender, original, (response) => resume(Effect.succeed(response)), receivedAt)
        ),
      onFailure: ({ error, status }) => Effect.succeed(refused(status, error))
    })
  })
})
