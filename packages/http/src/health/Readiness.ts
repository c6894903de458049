import { answerWithin } from "@clicks/core/answerWithin"
import { Context, Data, type Duration, Effect, Layer, type Result, type Schema } from "effect"

/** Why a check failed, in words that anybody may read: `/readyz` shows them. */
export class CheckFailed extends Data.TaggedError("CheckFailed")<{ readonly reason: string }> {}

/** Figures that stand beside a check's status. */
export type Findings = Readonly<Record<string, Schema.Json>>

/** One thing the service cannot do its work without. */
export type Check = Effect.Effect<Findings, CheckFailed>

/** A failure carries what is wrong. */
export type CheckResult = Result.Result<Findings, CheckFailed>

/** Whether the service can do its work right now. */
export class Readiness extends Context.Service<
  Readiness,
  { readonly check: Effect.Effect<Readonly<Record<string, CheckResult>>> }
>()("@clicks/http/Readiness") {}

/** How long a check may take before it has failed. */
const within: Duration.Input = "2 seconds"

const run = (name: string, check: Check): Effect.Effect<CheckResult> =>
  answerWithin(check, within, () => new CheckFailed({ reason: "no response within 2 seconds" })).pipe(
    Effect.catchDefect((defect) =>
      Effect.logError(`Readiness check ${name} failed unexpectedly`, defect).pipe(
        Effect.andThen(new CheckFailed({ reason: "the check failed unexpectedly; see the log" }))
      )
    ),
    Effect.result
  )

/** Runs these checks, side by side, each time it is asked. */
export const layer = (checks: Readonly<Record<string, Check>>): Layer.Layer<Readiness> =>
  Layer.succeed(Readiness, {
    check: Effect.all(
      Object.fromEntries(Object.entries(checks).map(([name, check]) => [name, run(name, check)])),
      { concurrency: "unbounded" }
    )
  })
