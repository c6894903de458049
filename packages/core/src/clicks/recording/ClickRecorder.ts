import { Clock, Context, Duration, Effect, Layer, Result } from "effect"
import { never, Outage } from "../../Outage.ts"
import { monotonicMillisUnsafe } from "../../values/monotonicMillis.ts"
import type { ClickRejected } from "../ClickInput.ts"
import type { ClickStore } from "../ClickStore.ts"
import type { ClickReceipt, ReceiptOutcome } from "./ClickReceipt.ts"
import { type AcceptedClick, type ClickSubmission, judge } from "./ClickSubmission.ts"
import { GroupCommit, type GroupCommitOptions } from "./GroupCommit.ts"
import type { Quarantine } from "./Quarantine.ts"
import { drainForever } from "./spool/drainSpool.ts"
import { Spool } from "./spool/Spool.ts"

/** A receipt, or the first rule that the click breaks. */
export type RecordResult = Result.Result<ClickReceipt, ClickRejected>

/** Records clicks: validates each one, and commits clicks that arrive at the same time in one batch. */
export class ClickRecorder extends Context.Service<
  ClickRecorder,
  {
    /**
     * Records one click. Calls `onResult` once, possibly before it returns. The result is a failure only if the click breaks a rule; the
     * receipt shows whether the click was stored.
     */
    readonly offer: (submission: ClickSubmission, onResult: (result: RecordResult) => void) => void
    /** `offer` as an effect. An accepted click is written even if the caller is interrupted. */
    readonly record: (submission: ClickSubmission) => Effect.Effect<ClickReceipt, ClickRejected>
    /**
     * Records the clicks of one request. Each is validated separately; the results are in the order of the submissions. Such requests take
     * turns with each other, and single clicks go first.
     */
    readonly recordAll: (
      submissions: ReadonlyArray<ClickSubmission>
    ) => Effect.Effect<ReadonlyArray<RecordResult>>
  }
>()("@clicks/core/clicks/recording/ClickRecorder") {}

export interface ClickRecorderOptions extends GroupCommitOptions {
  /** How long a click may wait for its turn, and then again for the store, before it is spooled or, without a spool, dropped. */
  readonly within: Duration.Input
}

export const defaultOptions: ClickRecorderOptions = {
  maxBatch: 500,
  maxPending: 20_000,
  writers: 3,
  within: "5 seconds"
}

const receiptOf = (
  { clockShift, event, quarantined }: AcceptedClick,
  outcome: ReceiptOutcome
): RecordResult => {
  const { id } = event
  if (quarantined === null && clockShift === 0) return Result.succeed({ id, outcome })
  return Result.succeed({
    id,
    outcome,
    ...(quarantined !== null && { losses: quarantined.reason }),
    ...(clockShift !== 0 && { clockShift })
  })
}

const make = Effect.fnUntraced(function* (
  options: ClickRecorderOptions,
  spool: Spool["Service"] | undefined,
  outage: Outage["Service"]
) {
  const destination = { within: Duration.fromInputUnsafe(options.within), spool, outage }
  const commits = new GroupCommit(options, destination, yield* Effect.context<ClickStore | Quarantine>())
  // Accepted clicks are written before the store closes. A store that hangs delays the shutdown only once, not for each batch.
  yield* Effect.addFinalizer(() => commits.closeWithin(destination.within))
  const clock = yield* Clock.Clock

  /** Validates a submission. Returns the click to store, or undefined if it breaks a rule, after calling `onResult`. */
  const pendingOf = (submission: ClickSubmission, onResult: (result: RecordResult) => void) => {
    const judgement = judge(submission, clock.currentTimeMillisUnsafe())
    if (Result.isFailure(judgement)) {
      onResult(Result.fail(judgement.failure))
      return undefined
    }
    const click = judgement.success
    const since = monotonicMillisUnsafe(clock)
    return { click, since, answer: (outcome: ReceiptOutcome) => onResult(receiptOf(click, outcome)) }
  }

  const offer: ClickRecorder["Service"]["offer"] = (submission, onResult) => {
    const pending = pendingOf(submission, onResult)
    if (pending !== undefined) commits.offer(pending)
  }

  const recordAll: ClickRecorder["Service"]["recordAll"] = (submissions) =>
    Effect.callback((resume) => {
      const results: Array<RecordResult> = []
      let open = submissions.length
      if (open === 0) resume(Effect.succeed(results))
      const settle = (index: number) => (result: RecordResult) => {
        results[index] = result
        if (--open === 0) resume(Effect.succeed(results))
      }
      commits.offerAll(submissions.flatMap((submission, index) => pendingOf(submission, settle(index)) ?? []))
    })

  return ClickRecorder.of({
    offer,
    record: (submission) =>
      Effect.callback((resume) => offer(submission, (result) => resume(Effect.fromResult(result)))),
    recordAll
  })
})

/** The recorder with other limits. It drops clicks while the store is unavailable; see `layerSpooled`. */
export const layerWith = (
  options: Partial<ClickRecorderOptions>
): Layer.Layer<ClickRecorder, never, ClickStore | Quarantine> =>
  Layer.effect(
    ClickRecorder,
    Effect.flatMap(never, (outage) => make({ ...defaultOptions, ...options }, undefined, outage))
  )

/** The recorder with limits that suit one process of a service. It drops clicks while the store is unavailable. */
export const layer: Layer.Layer<ClickRecorder, never, ClickStore | Quarantine> = layerWith({})

/**
 * The recorder of the service. Clicks that the store does not accept in time wait in the spool. They are moved from there to the store, in
 * order, as long as the recorder lives.
 */
export const layerSpooled = (
  options: Partial<ClickRecorderOptions> = {}
): Layer.Layer<ClickRecorder, never, ClickStore | Quarantine | Spool | Outage> =>
  Layer.effect(
    ClickRecorder,
    Effect.gen(function* () {
      const limits = { ...defaultOptions, within: "2 seconds" as const, ...options }
      yield* Effect.forkScoped(drainForever(limits.maxBatch))
      return yield* make(limits, yield* Spool, yield* Outage)
    })
  )
