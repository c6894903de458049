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

/** What became of one click; undefined when something failed that should not, and the click with it. */
export type Outcome = Result.Result<ClickReceipt, ClickRejected> | undefined

/** The answers of the recording endpoints. */
export interface RecordingAnswers {
  /** A broken rule is the caller's error. By rule 6, any other failure is not, and the answer is "ok". */
  readonly recorded: (outcome: Outcome, notices: Notices) => Answer
  /** What became of many clicks. */
  readonly recordedMany: (summary: RecordedMany, notices: Notices) => Answer
  /** The request holds no click that could be recorded. */
  readonly refused: (status: number, error: string) => Answer
}

// Made once: this is answered tens of thousands of times a second.
const ok = HttpServerResponse.jsonUnsafe({ status: "ok" }, { headers: apiHeaders })

const nothingToNote: Pick<ClickReceipt, "clockShift" | "losses"> = {}

type Accepted = Exclude<Outcome, Result.Failure<unknown, unknown>>

const headersOf = (outcome: Accepted) =>
  outcome === undefined
    ? { "click-receipt": "dropped" }
    : { "click-id": outcome.success.id, "click-receipt": outcome.success.outcome }

/** The notice about an accepted click. */
const noticesOf = (outcome: Accepted, notices: Notices): Notices => {
  const { clockShift, losses } = outcome?.success ?? nothingToNote
  return losses === undefined && clockShift === undefined
    ? notices
    : [...notices, ...clockCorrected(clockShift), ...notAsSent(losses)]
}

/** The answer to an accepted click. */
const withReceipt = (answer: Answer, outcome: Accepted, given: Notices): Answer => {
  const receipt = HttpServerResponse.setHeaders(answer, headersOf(outcome))
  const notices = noticesOf(outcome, given)
  return notices.length === 0 ? receipt : HttpServerResponse.setHeaders(receipt, clickNotice(...notices))
}

/** The answers, with the given headers in each. */
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
 * The answers to clicks that a page or an e-mail sends by showing an image. Each is the image, so that a click that is refused breaks
 * nothing that a person sees: the status is that of the other endpoints, and the error is in `Click-Notice`.
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
