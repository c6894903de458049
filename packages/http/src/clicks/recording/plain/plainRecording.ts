import { ClickRecorder } from "@clicks/core/clicks/recording/ClickRecorder"
import type { ClickOrigin } from "@clicks/core/clicks/recording/ClickSubmission"
import { Cause, Effect, Option } from "effect"
import { Headers, type HttpServerResponse } from "effect/http"
import { presentsCredential } from "../../../access/Credential.ts"
import * as ClickBody from "../ClickBody.ts"
import { anonymousOrigin, type Sender } from "../clickOrigin.ts"
import { type RecordingAnswers, recordingAnswers } from "../RecordingAnswers.ts"
import { perOrigin } from "../RecordingCors.ts"
import type { RecordingOptions } from "../RecordingOptions.ts"
import { notJson, recorderOf } from "../recordClick.ts"
import { fieldsIgnored } from "../recordingNotices.ts"
import { bodyText, headText } from "./answerText.ts"
import type { PlainServer } from "./PlainConnection.ts"

/** Who sends the clicks of a connection. */
export interface PlainSender extends Sender {
  readonly answers: RecordingAnswers
  /** Where an anonymous click comes from; undefined when it has to be found out who sends it, or under which id. */
  readonly origin: ClickOrigin | undefined
}

/**
 * Records plain clicks straight from their connection to its answer, with the same judgement and the same answers as the route does.
 * Node's HTTP takes 17 of the 28 microseconds of processor time that it takes to read, parse and answer a click and nothing else;
 * the router and a fiber for each click would take 20 more.
 */
export const make = Effect.fnUntraced(function* (options: RecordingOptions) {
  const record = yield* recorderOf(options)
  const answersFor = perOrigin(options.corsOrigins, recordingAnswers)
  const fork = Effect.runForkWith(yield* Effect.context())
  const recorder = yield* ClickRecorder

  const senderOf: PlainServer<PlainSender>["senderOf"] = (fields, peer) => {
    const headers = Headers.fromRecordUnsafe(fields)
    const sender = { headers, remoteAddress: Option.fromUndefinedOr(peer) }
    const isSimple = !presentsCredential(headers) && headers["idempotency-key"] === undefined
    return {
      ...sender,
      answers: answersFor(headers["origin"]),
      origin: isSimple ? anonymousOrigin(sender, options.trustedProxies) : undefined
    }
  }

  // Nobody interrupts it: a page that sends a click and is closed means the click all the same.
  const answer: PlainServer<PlainSender>["answer"] = (sender, body, send) => {
    const { answers, origin } = sender
    const respond = (response: HttpServerResponse.HttpServerResponse) =>
      send(headText(response), bodyText(response))
    if (origin === undefined) {
      fork(Effect.map(record(sender, body, answers), respond))
      return
    }
    const parsed = ClickBody.fromBytes(body)
    if (parsed === undefined) {
      respond(answers.refused(400, notJson))
      return
    }
    const notices = fieldsIgnored(parsed.ignored)
    try {
      recorder.offer({ body: parsed.body, origin, original: () => body }, (result) =>
        respond(answers.recorded(result, notices))
      )
    } catch (defect) {
      fork(Effect.logError("Recording a click failed", Cause.die(defect)))
      respond(answers.recorded(undefined, notices))
    }
  }

  return { senderOf, answer }
})
