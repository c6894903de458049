import { Buffer } from "node:buffer"
import type { ClickRejected } from "@clicks/core/clicks/ClickInput"
import type { ClickReceipt } from "@clicks/core/clicks/recording/ClickReceipt"
import { Result } from "effect"
import { HttpServerResponse } from "effect/http"
import { apiHeaders } from "../../responses/apiResponse.ts"
import { clickNotice } from "../../responses/clickNotice.ts"
import type { RecordedMany } from "./RecordingApi.ts"
import { clockCorrected, type Notices, noNotices, notAsSent } from "./recordingNotices.ts"

type Answer = HttpServerResponse.HttpServerResponse

/** The outcome of one click; undefined if an unexpected failure dropped it. */
export type Outcome = Result.Result<ClickReceipt, ClickRejected> | undefined

/** The responses of the recording endpoints. */
export interface RecordingAnswers {
  /** Responds with 400 if the click breaks a rule. Any other failure is not the caller's fault: by rule 6, the response is "ok". */
  readonly recorded: (outcome: Outcome, notices: Notices) => Answer
  /** Responds with the outcomes of many clicks. */
  readonly recordedMany: (summary: RecordedMany, notices: Notices) => Answer
  /** Rejects a request without a click that could be recorded. */
  readonly refused: (status: number, error: string) => Answer
}

// Built once: it is sent tens of thousands of times a second.
const ok = HttpServerResponse.jsonUnsafe({ status: "ok" }, { headers: apiHeaders })

const nothingToNote: Pick<ClickReceipt, "clockShift" | "losses"> = {}

type Accepted = Exclude<Outcome, Result.Failure<unknown, unknown>>

const headersOf = (outcome: Accepted) =>
  outcome === undefined
    ? { "click-receipt": "dropped" }
    : { "click-id": outcome.success.id, "click-receipt": outcome.success.outcome }

/** The notices about an accepted click, after the given ones. */
const noticesOf = (outcome: Accepted, notices: Notices): Notices => {
  const { clockShift, losses } = outcome?.success ?? nothingToNote
  return losses === undefined && clockShift === undefined
    ? notices
    : [...notices, ...clockCorrected(clockShift), ...notAsSent(losses)]
}

/** Adds the receipt and the notices of an accepted click to the response. */
const withReceipt = (answer: Answer, outcome: Accepted, given: Notices): Answer => {
  const receipt = HttpServerResponse.setHeaders(answer, headersOf(outcome))
  const notices = noticesOf(outcome, given)
  return notices.length === 0 ? receipt : HttpServerResponse.setHeaders(receipt, clickNotice(...notices))
}

/** The JSON responses, each with the given headers. */
export const recordingAnswers = (cors: Readonly<Record<string, string>>): RecordingAnswers => {
  const json = (body: object, notices: Notices, status = 200) =>
    HttpServerResponse.jsonUnsafe(body, {
      status,
      headers: { ...apiHeaders, ...cors, ...(notices.length > 0 && clickNotice(...notices)) }
    })
  const plain = HttpServerResponse.setHeaders(ok, cors)
  const refused = (status: number, error: string) => json({ status: "error", error }, noNotices, status)

  return {
    recorded: (outcome, notices) => {
      if (outcome !== undefined && Result.isFailure(outcome)) return refused(400, outcome.failure.message)
      return withReceipt(plain, outcome, notices)
    },
    recordedMany: json,
    refused
  }
}

// 1 × 1 pixel, transparent.
const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==", "base64")

/**
 * The responses to clicks that a page or an e-mail sends by showing an image. Each contains the image, so that people never see an error,
 * even if the click is rejected. The status is the same as on the other endpoints; the error is in `Click-Notice`.
 */
export const imageAnswers = (
  cors: Readonly<Record<string, string>>
): Pick<RecordingAnswers, "recorded" | "refused"> & { readonly image: Answer } => {
  const image = HttpServerResponse.uint8Array(gif, {
    contentType: "image/gif",
    headers: { ...apiHeaders, ...cors }
  })
  const refused = (status: number, error: string) =>
    HttpServerResponse.setHeaders(HttpServerResponse.setStatus(image, status), clickNotice(error))
  return {
    image,
    recorded: (outcome, notices) =>
      outcome !== undefined && Result.isFailure(outcome)
        ? refused(400, outcome.failure.message)
        : withReceipt(image, outcome, notices),
    refused
  }
}
