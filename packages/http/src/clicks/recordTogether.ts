import type { ClickRejected } from "@clicks/core/clicks/ClickInput"
import type { ClickReceipt } from "@clicks/core/clicks/ClickReceipt"
import type { ClickRecorder } from "@clicks/core/clicks/ClickRecorder"
import type { ClickSubmission } from "@clicks/core/clicks/ClickSubmission"
import { Effect, type Fiber, type Result } from "effect"

/** Is told what became of a click; undefined when something failed that should not. */
export type OnAnswer = (answer: Result.Result<ClickReceipt, ClickRejected> | undefined) => void

interface Arrival {
  readonly submission: ClickSubmission
  readonly onAnswer: OnAnswer
}

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
        Effect.flatMap((answers) =>
          Effect.sync(() => {
            for (const [index, { onAnswer }] of group.entries()) onAnswer(answers[index])
          })
        )
      )
    )
  }

  return (submission, onAnswer) => {
    if (arrivals.length === 0) setImmediate(recordArrivals)
    arrivals.push({ submission, onAnswer })
  }
}
