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
  /** A broken rule is the caller's; by rule 6, whatever else fails is not, and the caller hears "ok". */
  readonly recorded: (outcome: Outcome, notices: Notices) => Answer
  /** What became of many clicks. */
  readonly recordedMany: (summary: RecordedMany, notices: Notices) => Answer
  /** The request holds no click that could be recorded. */
  readonly refused: (status: number, error: string) => Answer
}

// Made once: this is answered tens of thousands of times a second.
const ok = HttpServerResponse.jsonUnsafe({ status: "ok" }, { headers: apiHeaders })

const nothingToNote: Pick<ClickReceipt, "clockShift" | "losses"> = {}

const headersOf = (outcome: Exclude<Outcome, Result.Failure<unknown, unknown>>) =>
  outcome === undefined
    ? { "click-receipt": "dropped" }
    : { "click-id": outcome.success.id, "click-receipt": outcome.success.outcome }

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
      const answer = HttpServerResponse.setHeaders(plain, headersOf(outcome))
      const { clockShift, losses } = outcome?.success ?? nothingToNote
      return notices.length === 0 && losses === undefined && clockShift === undefined
        ? answer
        : HttpServerResponse.setHeaders(
            answer,
            clickNotice(...notices, ...clockCorrected(clockShift), ...notAsSent(losses))
          )
    },
    recordedMany: json,
    refused
  }
}
