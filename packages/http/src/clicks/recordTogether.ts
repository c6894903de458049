import type { ClickRecorder } from "@clicks/core/clicks/ClickRecorder"
import type { ClickSubmission } from "@clicks/core/clicks/ClickSubmission"
import { Cause, Effect, type Fiber } from "effect"
import type { Outcome } from "./RecordingAnswers.ts"

type OnOutcome = (outcome: Outcome) => void

interface Arrival {
  readonly submission: ClickSubmission
  readonly onOutcome: OnOutcome
}

// The trouble of one client is nobody else's: the others are answered, and it is logged.
const answerEach = (group: ReadonlyArray<Arrival>, outcomes: ReadonlyArray<Outcome>) =>
  Effect.suspend(() => {
    const thrown: Array<unknown> = []
    for (const [index, { onOutcome }] of group.entries()) {
      try {
        onOutcome(outcomes[index])
      } catch (defect) {
        thrown.push(defect)
      }
    }
    const log = (defect: unknown) => Effect.logError("Answering a click failed", Cause.die(defect))
    return Effect.forEach(thrown, log, { discard: true })
  })

/** Records clicks one by one; those that come in the same turn of the event loop in one go, with one fiber for all. */
export const recordTogether = (
  recorder: ClickRecorder["Service"],
  fork: (effect: Effect.Effect<void>) => Fiber.Fiber<void>
): ((submission: ClickSubmission, onOutcome: OnOutcome) => void) => {
  let arrivals: Array<Arrival> = []

  const recordArrivals = (): void => {
    const group = arrivals
    arrivals = []
    fork(
      recorder.recordAll(group.map(({ submission }) => submission)).pipe(
        Effect.catchCause((cause) => Effect.as(Effect.logError("Recording clicks failed", cause), [])),
        Effect.flatMap((outcomes) => answerEach(group, outcomes))
      )
    )
  }

  return (submission, onOutcome) => {
    if (arrivals.length === 0) setImmediate(recordArrivals)
    arrivals.push({ submission, onOutcome })
  }
}
