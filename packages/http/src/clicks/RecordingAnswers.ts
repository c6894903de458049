import type { ClickRejected } from "@clicks/core/clicks/ClickInput"
import type { ClickReceipt } from "@clicks/core/clicks/ClickReceipt"
import { Result } from "effect"
import { HttpServerResponse } from "effect/http"
import { apiHeaders } from "../apiResponse.ts"
import { clickNotice } from "../clickNotice.ts"
import type { RecordedMany } from "./RecordingApi.ts"

type Answer = HttpServerResponse.HttpServerResponse

/** What became of one click; undefined when something failed that should not, and the click with it. */
export type Outcome = Result.Result<ClickReceipt, ClickRejected> | undefined

/** The answers of the recording endpoints. */
export interface RecordingAnswers {
  /** A broken rule is the caller's; by rule 6, whatever else fails is not, and the caller hears "ok". */
  readonly recorded: (outcome: Outcome, keyIgnored: boolean) => Answer
  /** What became of many clicks. */
  readonly recordedMany: (summary: RecordedMany, keyIgnored: boolean) => Answer
  /** The request holds no click that could be recorded. */
  readonly refused: (status: number, error: string) => Answer
}

// A click without its key is worth more than no click, but its sender must be able to see it.
const notice = clickNotice("Idempotency-Key ignored: it takes 1 to 255 visible ASCII characters")

/** The answers, with the given headers in each. */
export const recordingAnswers = (cors: Readonly<Record<string, string>>): RecordingAnswers => {
  const headers = { ...apiHeaders, ...cors }
  const json = (body: object, keyIgnored: boolean, status = 200) =>
    HttpServerResponse.jsonUnsafe(body, { status, headers: keyIgnored ? { ...headers, ...notice } : headers })
  // Made once: this is answered tens of thousands of times a second.
  const plain = json({ status: "ok" }, false)
  const noticing = json({ status: "ok" }, true)
  const refused = (status: number, error: string) => json({ status: "error", error }, false, status)

  return {
    recorded: (outcome, keyIgnored) =>
      outcome !== undefined && Result.isFailure(outcome)
        ? refused(400, outcome.failure.message)
        : HttpServerResponse.setHeaders(
            keyIgnored ? noticing : plain,
            outcome === undefined
              ? { "click-receipt": "dropped" }
              : { "click-id": outcome.success.id, "click-receipt": outcome.success.outcome }
          ),
    recordedMany: json,
    refused
  }
}
