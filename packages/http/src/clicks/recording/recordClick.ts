import { ClickRecorder } from "@clicks/core/clicks/recording/ClickRecorder"
import type { ClickSubmission } from "@clicks/core/clicks/recording/ClickSubmission"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { Authentication } from "../../access/Authentication.ts"
import * as RequestBody from "../../requests/RequestBody.ts"
import * as ClickBody from "./ClickBody.ts"
import { clickOrigin, type Sender } from "./clickOrigin.ts"
import { idempotencyKey } from "./IdempotencyKey.ts"
import type { RecordingAnswers } from "./RecordingAnswers.ts"
import type { RecordingOptions } from "./RecordingOptions.ts"
import { fieldsIgnored, type Notices } from "./recordingNotices.ts"

const accepted = new Set(["", "application/json", "text/plain"])

export const notJson = "The body must be JSON in UTF-8"

/** Whether a click may come as this `Content-Type`. */
export const isAccepted = (contentType: string | undefined): boolean =>
  accepted.has(RequestBody.mediaType(contentType))

/**
 * Records the click of a body, and answers. Never fails.
 *
 * Written with few steps rather than as a generator: this path decides how many clicks a machine records.
 */
export const recorderOf = Effect.fnUntraced(function* ({
  trustedProxies
}: Pick<RecordingOptions, "trustedProxies">) {
  const { record } = yield* ClickRecorder
  const authentication = yield* Authentication

  const answer = (submission: ClickSubmission, answers: RecordingAnswers, notices: Notices) =>
    Effect.result(record(submission)).pipe(
      Effect.catchCause((cause) => Effect.as(Effect.logError("Recording a click failed", cause), undefined)),
      Effect.map((outcome) => answers.recorded(outcome, notices))
    )

  return (sender: Sender, original: Uint8Array, answers: RecordingAnswers) => {
    const parsed = ClickBody.fromBytes(original)
    if (parsed === undefined) return Effect.succeed(answers.refused(400, notJson))
    const { body } = parsed
    const { key, notices } = idempotencyKey(sender.headers)
    const allNotices = [...notices, ...fieldsIgnored(parsed.ignored)]
    return Effect.flatMap(clickOrigin(sender, trustedProxies, authentication), (origin) => {
      const submission = { body, origin, original: () => original, idempotencyKey: key }
      return answer(submission, answers, allNotices)
    })
  }
})

/** POST /api/events/product-click: section 4.1 of the specification. Never fails. */
export const recordClick = Effect.fnUntraced(function* (
  options: RecordingOptions,
  answersFor: (origin: string | undefined) => RecordingAnswers
) {
  const record = yield* recorderOf(options)
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const answers = answersFor(request.headers["origin"])
    if (!isAccepted(request.headers["content-type"])) {
      return Effect.succeed(
        answers.refused(415, "Unsupported content type. Send the click as application/json or text/plain")
      )
    }
    return Effect.matchEffect(RequestBody.bytes(request, options.maxBody), {
      onSuccess: (original) => record(request, original, answers),
      onFailure: ({ error, status }) => Effect.succeed(answers.refused(status, error))
    })
  })
})
