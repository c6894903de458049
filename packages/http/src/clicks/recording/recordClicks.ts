import type { ClickRejected } from "@clicks/core/clicks/ClickInput"
import type { ClickReceipt } from "@clicks/core/clicks/recording/ClickReceipt"
import { ClickRecorder } from "@clicks/core/clicks/recording/ClickRecorder"
import {
  type ClickOrigin,
  type ClickSubmission,
  keyInBatch
} from "@clicks/core/clicks/recording/ClickSubmission"
import { Clock, Effect, Result, Semaphore } from "effect"
import { HttpServerRequest } from "effect/http"
import { Authentication } from "../../access/Authentication.ts"
import { BodyRefused, mediaType, sent, unpacked } from "../../requests/RequestBody.ts"
import * as ClickBatch from "./batch/ClickBatch.ts"
import { isAccepted } from "./batch/cutBatch.ts"
import { originOf } from "./clickOrigin.ts"
import * as IdempotencyKey from "./IdempotencyKey.ts"
import { type RecordingAnswers, recordingAnswers } from "./RecordingAnswers.ts"
import type { RecordedMany } from "./RecordingApi.ts"
import { corsHeaders } from "./RecordingCors.ts"
import type { RecordingOptions } from "./RecordingOptions.ts"
import { clocksCorrected, notAsSent } from "./recordingNotices.ts"

// From decompression until its last click is stored, a request takes about ten times its size in memory. Four keep the database busy while
// others are decompressed.
const decodedAtOnce = 4

// Limited because it is stored with each click: with a header of 16 KB, 1,000 clicks of 50 bytes would take 16 MB. Browsers send about 150
// characters.
const maxUserAgent = 1_024

const unsupported = new BodyRefused({
  status: 415,
  error: "Unsupported content type. Send the clicks as application/json, application/x-ndjson or text/plain"
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

const shiftsOf = (outcomes: ReadonlyArray<Outcome>): ReadonlyArray<number> =>
  outcomes.flatMap((result) => (Result.isSuccess(result) ? (result.success?.clockShift ?? []) : []))

const lossesOf = (outcomes: ReadonlyArray<Outcome>): string | undefined => {
  const count = outcomes.filter(
    (result) => Result.isSuccess(result) && result.success?.losses !== undefined
  ).length
  return count === 0 ? undefined : `values of ${count} ${count === 1 ? "click" : "clicks"}`
}

const submissionsOf = (
  items: ReadonlyArray<ClickBatch.BatchItem>,
  origin: ClickOrigin,
  times: Pick<ClickSubmission, "receivedAt" | "sentAt">,
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
            ...times,
            id: key === undefined ? undefined : IdempotencyKey.idOf(origin.userId, keyInBatch(key, index))
          }
        ]
  )

/** POST /api/events/product-clicks: many clicks, each validated by the rules of section 4.1. Never fails. */
export const recordClicks = Effect.fnUntraced(function* (options: RecordingOptions) {
  const recorder = yield* ClickRecorder
  const authentication = yield* Authentication
  const decoding = yield* Semaphore.make(decodedAtOnce)

  // Returns the outcomes in the order of the items, including those that cannot be read.
  const recordAll = Effect.fnUntraced(function* (
    items: ReadonlyArray<ClickBatch.BatchItem>,
    origin: ClickOrigin,
    times: Pick<ClickSubmission, "receivedAt" | "sentAt">,
    key: string | undefined
  ) {
    const results = yield* recorder
      .recordAll(submissionsOf(items, origin, times, key))
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
    const receivedAt = yield* Clock.currentTimeMillis
    const type = mediaType(request.headers["content-type"])
    if (!isAccepted(type)) return yield* unsupported
    const body = yield* sent(request, options.maxBatchBody)
    const { conflict, key, notices: keyNotices } = IdempotencyKey.of(request)
    if (conflict !== undefined) return yield* new BodyRefused({ status: 400, error: conflict })
    const from = originOf(request, options.trustedProxies, authentication)
    const origin = Effect.isEffect(from) ? yield* from : from
    const userAgent = origin.userAgent?.slice(0, maxUserAgent) ?? null
    const isCut = userAgent !== origin.userAgent
    const { notices, outcomes } = yield* decoding.withPermit(
      unpacked(body, options.maxBatchBody).pipe(
        Effect.flatMap((bytes) => ClickBatch.parse(bytes, type, options)),
        Effect.flatMap(({ items, notices, sentAt }) =>
          Effect.map(recordAll(items, { ...origin, userAgent }, { receivedAt, sentAt }, key), (outcomes) => ({
            notices,
            outcomes
          }))
        )
      )
    )
    return recordedMany(summarise(outcomes), [
      ...keyNotices,
      ...(isCut ? [`User-Agent cut to ${maxUserAgent} characters`] : []),
      ...notices,
      ...clocksCorrected(shiftsOf(outcomes)),
      ...notAsSent(lossesOf(outcomes))
    ])
  })

  return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const answers = recordingAnswers(corsHeaders(options.corsOrigins, request.headers["origin"]))
    return record(request, answers).pipe(
      Effect.catchTag("BodyRefused", ({ error, status }) => Effect.succeed(answers.refused(status, error)))
    )
  })
})
