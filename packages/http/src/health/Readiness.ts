import { answerWithin } from "@clicks/core/answerWithin"
import { Context, Data, type Duration, Effect, Layer, type Schema } from "effect"

/** Why a check failed. `/readyz` shows the reason without authentication. */
export class CheckFailed extends Data.TaggedError("CheckFailed")<{ readonly reason: string }> {}

type Details = Readonly<Record<string, Schema.Json>>

/** Checks one thing that the service needs. Returns details to show. */
export type Check = Effect.Effect<Details, CheckFailed>

/** The result of a check with its details; `reason` if it failed. */
export type CheckResult = Details & { readonly status: "ok" | "failed" }

/** Whether the service can do its work. */
export class Readiness extends Context.Service<
  Readiness,
  { readonly check: Effect.Effect<Readonly<Record<string, CheckResult>>> }
>()("@clicks/http/Readiness") {}

const within: Duration.Input = "2 seconds"

const run = (name: string, check: Check): Effect.Effect<CheckResult> =>
  answerWithin(check, within, () => new CheckFailed({ reason: "no response within 2 seconds" })).pipe(
    Effect.catchDefect((defect) =>
      Effect.logError(`Readiness check ${name} failed unexpectedly`, defect).pipe(
        Effect.andThen(new CheckFailed({ reason: "the check failed unexpectedly; see the log" }))
      )
    ),
    Effect.match({
      onSuccess: (details) => ({ ...details, status: "ok" }),
      onFailure: ({ reason }) => ({ status: "failed", reason })
    })
  )

/** Runs the checks concurrently, on every call. A check fails after 2 seconds. */
export const layer = (checks: Readonly<Record<string, Check>>): Layer.Layer<Readiness> =>
  Layer.succeed(Readiness, {
    check: Effect.all(
      Object.fromEntries(Object.entries(checks).map(([name, check]) => [name, run(name, check)])),
      { concurrency: "unbounded" }
    )
  })
