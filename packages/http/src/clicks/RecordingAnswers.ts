import type { ClickReceipt } from "@clicks/core/clicks/ClickReceipt"
import { HttpServerResponse } from "effect/http"
import { apiHeaders } from "../apiResponse.ts"
import type { RecordedMany } from "./RecordingApi.ts"

type Answer = HttpServerResponse.HttpServerResponse

/** The answers of the recording endpoints. */
export interface RecordingAnswers {
  /** A click was accepted. Without a receipt something failed that should not, and the click with it. */
  readonly recorded: (receipt: ClickReceipt | undefined, keyIgnored: boolean) => Answer
  /** What became of many clicks. */
  readonly recordedMany: (summary: RecordedMany, keyIgnored: boolean) => Answer
  /** The request holds no click that could be recorded. */
  readonly refused: (status: number, error: string) => Answer
}

// A click without its key is worth more than no click, but its sender must be able to see it.
const notice = { "click-notice": "Idempotency-Key ignored: it takes 1 to 255 visible ASCII characters" }

/** The answers, with the given headers in each. */
export const recordingAnswers = (cors: Readonly<Record<string, string>>): RecordingAnswers => {
  const headers = { ...apiHeaders, ...cors }
  const json = (body: object, keyIgnored: boolean, status = 200) =>
    HttpServerResponse.jsonUnsafe(body, { status, headers: keyIgnored ? { ...headers, ...notice } : headers })
  // Made once: this is answered tens of thousands of times a second.
  const plain = json({ status: "ok" }, false)
  const noticing = json({ status: "ok" }, true)

  return {
    recorded: (receipt, keyIgnored) =>
      HttpServerResponse.setHeaders(
        keyIgnored ? noticing : plain,
        receipt === undefined
          ? { "click-receipt": "dropped" }
          : { "click-id": receipt.id, "click-receipt": receipt.outcome }
      ),
    recordedMany: json,
    refused: (status, error) => json({ status: "error", error }, false, status)
  }
}
