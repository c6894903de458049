import type { ClickRejected } from "@clicks/core/clicks/ClickInput"
import type { ClickReceipt } from "@clicks/core/clicks/ClickReceipt"
import type { ClickRecorder } from "@clicks/core/clicks/ClickRecorder"
import type { ClickSubmission } from "@clicks/core/clicks/ClickSubmission"
import { Cause, Effect, type Fiber, type Result } from "effect"

/** Is told what became of a click; undefined when something failed that should not. */
export type OnAnswer = (answer: Result.Result<ClickReceipt, ClickRejected> | undefined) => void

interface Arrival {
  readonly submission: ClickSubmission
  readonly onAnswer: OnAnswer
}

// The trouble of one client is nobody else's: the others are answered, and it is logged.
const answerEach = (group: ReadonlyArray<Arrival>, answers: ReadonlyArray<Parameters<OnAnswer>[0]>) =>
  Effect.suspend(() => {
    const thrown: Array<unknown> = []
    for (const [index, { onAnswer }] of group.entries()) {
      try {
        onAnswer(answers[index])
      } catch (defect) {
        thrown.push(defect)
      }
    }
    return Effect.forEach(
      thrown,
      (defect) => Effect.logError("Answering a click failed", Cause.die(defect)),
      {
        discard: true
      }
    )
  })

/** Records clicks one by one; those that come in the same turn of the event loop in one go, with one fiber for all. */
export const recordTogether = (
  recorder: ClickRecorder["Service"],
  fork: (effect: Effect.Effect<void>) => Fiber.Fiber<void>
): ((submission: ClickSubmission, onAnswer: OnAnswer) => void) => {
  let arrivals: Array<Arrival> = []

  const recordArrivals = (): void => {
    const group = arrivals
    arrivals = []
    fork(
      recorder.recordAll(group.map(({ submission }) => submission)).pipe(
        Effect.catchCause((cause) => Effect.as(Effect.logError("Recording clicks failed", cause), [])),
        Effect.flatMap((answers) => answerEach(group, answers))
      )
    )
  }

  return (submission, onAnswer) => {
    if (arrivals.length === 0) setImmediate(recordArrivals)
    arrivals.push({ submission, onAnswer })
  }
}
