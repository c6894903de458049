import type { ClickRejected } from "@clicks/core/clicks/ClickInput"
import type { ClickReceipt } from "@clicks/core/clicks/ClickReceipt"
import { ClickRecorder } from "@clicks/core/clicks/ClickRecorder"
import { type ClickOrigin, type ClickSubmission, keyInBatch } from "@clicks/core/clicks/ClickSubmission"
import { Effect, Result } from "effect"
import { HttpServerRequest } from "effect/http"
import { Authentication } from "../access/Authentication.ts"
import * as ClickBatch from "./ClickBatch.ts"
import { clickOrigin } from "./clickOrigin.ts"
import { idempotencyKey } from "./IdempotencyKey.ts"
import type { RecordingAnswers } from "./RecordingAnswers.ts"
import type { RecordedMany } from "./RecordingApi.ts"
import type { RecordingOptions } from "./RecordingOptions.ts"
import { BodyRefused, bytes, mediaType } from "./RequestBody.ts"

const unsupported = new BodyRefused({
  status: 415,
  error: "Send the clicks as application/json, application/x-ndjson or text/plain"
})

type Outcome = Result.Result<ClickReceipt | undefined, Pick<ClickRejected, "message">>

const summarise = (outcomes: ReadonlyArray<Outcome>): RecordedMany => {
  const count = (outcome: ClickReceipt["outcome"]) =>
    outcomes.filter(
      (result) => Result.isSuccess(result) && (result.success?.outcome ?? "dropped") === outcome
    ).length
  return {
    status: "ok",
    stored: count("stored"),
    duplicates: count("duplicate"),
    spooled: count("spooled"),
    dropped: count("dropped"),
    errors: outcomes.flatMap((result, index) =>
      Result.isFailure(result) ? [{ index, error: result.failure.message }] : []
    )
  }
}

const readItems = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  { maxBatch, maxBatchBody }: RecordingOptions
) {
  const type = mediaType(request.headers["content-type"])
  if (!ClickBatch.isAccepted(type)) return yield* unsupported
  const body = yield* bytes(request, maxBatchBody)
  return yield* Effect.fromResult(ClickBatch.parse(body, type, maxBatch))
})

const submissionsOf = (
  items: ReadonlyArray<ClickBatch.BatchItem>,
  origin: ClickOrigin,
  key: string | undefined
): ReadonlyArray<ClickSubmission> =>
  items.flatMap((item, index) =>
    "unreadable" in item
      ? []
      : [
          {
            body: item.value,
            original: item.original,
            origin,
            idempotencyKey: keyInBatch(key, index)
          }
        ]
  )

/** POST /api/events/product-clicks: many clicks, each judged by the rules of section 4.1. Never fails. */
export const recordClicks = Effect.fnUntraced(function* (
  options: RecordingOptions,
  answersFor: (origin: string | undefined) => RecordingAnswers
) {
  const recorder = yield* ClickRecorder
  const authentication = yield* Authentication

  // The outcomes in the order of the items: those that cannot be read have theirs already.
  const recordAll = Effect.fnUntraced(function* (
    items: ReadonlyArray<ClickBatch.BatchItem>,
    origin: ClickOrigin,
    key: string | undefined
  ) {
    const results = yield* recorder
      .recordAll(submissionsOf(items, origin, key))
      .pipe(Effect.catchDefect((defect) => Effect.as(Effect.logError("Recording clicks failed", defect), [])))
    const next = results.values()
    return items.map(
      (item): Outcome =>
        "unreadable" in item
          ? Result.fail({ message: item.unreadable })
          : (next.next().value ?? Result.succeed(undefined))
    )
  })

  const record = Effect.fnUntraced(function* (
    request: HttpServerRequest.HttpServerRequest,
    { recordedMany }: RecordingAnswers
  ) {
    const items = yield* readItems(request, options)
    const { ignored, key } = idempotencyKey(request.headers)
    const origin = yield* clickOrigin(request, options.trustedProxies, authentication)
    return recordedMany(summarise(yield* recordAll(items, origin, key)), ignored)
  })

  return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const answers = answersFor(request.headers["origin"])
    return record(request, answers).pipe(
      Effect.catchTag("BodyRefused", ({ error, status }) => Effect.succeed(answers.refused(status, error)))
    )
  })
})
