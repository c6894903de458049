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

/** Records clicks: validates each one, and commits those that arrive together in one batch. */
export class ClickRecorder extends Context.Service<
  ClickRecorder,
  {
    /**
     * Records one click. `onResult` is called once, possibly before this returns: with a failure only when the click breaks a
     * rule. The receipt reports what happened in the store.
     */
    readonly offer: (submission: ClickSubmission, onResult: (result: RecordResult) => void) => void
    /** `offer` as an effect. Once accepted, a click is written even when the caller is interrupted. */
    readonly record: (submission: ClickSubmission) => Effect.Effect<ClickReceipt, ClickRejected>
    /**
     * Records the clicks of one request, each judged alone; the results are in the order of the submissions. They take turns
     * with other requests of many, and single clicks go first.
     */
    readonly recordAll: (
      submissions: ReadonlyArray<ClickSubmission>
    ) => Effect.Effect<ReadonlyArray<RecordResult>>
  }
>()("@clicks/core/clicks/recording/ClickRecorder") {}

export interface ClickRecorderOptions extends GroupCommitOptions {
  /** How long a click may wait for its turn, and then for the store, before it goes to the spool or is given up. */
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
  // Accepted clicks are written before the store closes. A store that hangs delays the shutdown once, not per batch.
  yield* Effect.addFinalizer(() => commits.closeWithin(destination.within))
  const clock = yield* Clock.Clock

  /** What waits to be stored of a submission; undefined when it breaks a rule, which is its result. */
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

/** The recorder with limits of one's own. A store that is away makes it drop clicks: see `layerSpooled`. */
export const layerWith = (
  options: Partial<ClickRecorderOptions>
): Layer.Layer<ClickRecorder, never, ClickStore | Quarantine> =>
  Layer.effect(
    ClickRecorder,
    Effect.flatMap(never, (outage) => make({ ...defaultOptions, ...options }, undefined, outage))
  )

/** The recorder with limits that suit one process of a service. A store that is away makes it drop clicks. */
export const layer: Layer.Layer<ClickRecorder, never, ClickStore | Quarantine> = layerWith({})

/**
 * The recorder of the service: what the store cannot take in time waits in the spool, and is drained from there, in order,
 * for as long as the recorder lives.
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
