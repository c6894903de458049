import { Clock, Context, Duration, Effect, Layer, Result } from "effect"
import { never, Outage } from "../../Outage.ts"
import type { ClickRejected } from "../ClickInput.ts"
import type { ClickStore } from "../ClickStore.ts"
import type { ClickReceipt, ReceiptOutcome } from "./ClickReceipt.ts"
import {
  type AcceptedClick,
  acceptAll,
  type ClickSubmission,
  type Judgement,
  judge,
  judgeKeyed
} from "./ClickSubmission.ts"
import { drainForever } from "./drainSpool.ts"
import { GroupCommit, type GroupCommitOptions } from "./GroupCommit.ts"
import type { PendingClick } from "./PendingClicks.ts"
import type { Quarantine } from "./Quarantine.ts"
import { Spool } from "./Spool.ts"

/** The one way in for clicks that arrive one by one: judges them and commits those that arrive together, together. */
export class ClickRecorder extends Context.Service<
  ClickRecorder,
  {
    /**
     * Records one click. Fails only when the click breaks a rule; whatever happens to the store is told in the receipt.
     * Once accepted, a click is written even when the caller is interrupted.
     */
    readonly record: (submission: ClickSubmission) => Effect.Effect<ClickReceipt, ClickRejected>
    /**
     * Records one click without an idempotency key, without a fiber for it: `onResult` is called once, possibly before this
     * returns. For callers that record tens of thousands of clicks a second.
     */
    readonly offer: (
      submission: Omit<ClickSubmission, "idempotencyKey">,
      onResult: (result: Result.Result<ClickReceipt, ClickRejected>) => void
    ) => void
    /**
     * Records the clicks of one request, each judged alone; the results are in the order of the submissions. They take turns
     * with other requests of many, and single clicks go first.
     */
    readonly recordAll: (
      submissions: ReadonlyArray<ClickSubmission>
    ) => Effect.Effect<ReadonlyArray<Result.Result<ClickReceipt, ClickRejected>>>
  }
>()("@clicks/core/clicks/recording/ClickRecorder") {}

export interface ClickRecorderOptions extends GroupCommitOptions {
  /** How long a click may wait for its turn, and then for the store, before it goes to the spool or is given up. */
  readonly within: Duration.Input
}

export const defaultOptions: ClickRecorderOptions = {
  maxBatch: 500,
  maxPending: 20_000,
  writers: 2,
  within: "5 seconds"
}

type RecordResult = Result.Result<ClickReceipt, ClickRejected>

const receiptOf = ({ event, quarantined }: AcceptedClick, outcome: ReceiptOutcome): RecordResult =>
  Result.succeed(
    quarantined === null ? { id: event.id, outcome } : { id: event.id, outcome, losses: quarantined.reason }
  )

const make = Effect.fnUntraced(function* (
  options: ClickRecorderOptions,
  spool: Spool["Service"] | undefined,
  outage: Outage["Service"]
) {
  const destination = { within: Duration.fromInputUnsafe(options.within), spool, outage }
  const commits = new GroupCommit(options, destination, yield* Effect.context<ClickStore | Quarantine>())
  // What was accepted is written before the store may close; a store that hangs holds the end up once, not per batch.
  yield* Effect.addFinalizer(() => commits.closeWithin(destination.within))
  const clock = yield* Clock.Clock

  const queue = (judgement: Judgement, onResult: (result: RecordResult) => void): void => {
    if (Result.isFailure(judgement)) onResult(Result.fail(judgement.failure))
    else {
      const click = judgement.success
      commits.offer({ click, answer: (outcome) => onResult(receiptOf(click, outcome)) })
    }
  }

  const queueAll = (judgements: ReadonlyArray<Judgement>) =>
    Effect.callback<ReadonlyArray<RecordResult>>((resume) => {
      const results: Array<RecordResult> = []
      const pending: Array<PendingClick> = []
      let open = judgements.length
      const settle = (index: number, result: RecordResult) => {
        results[index] = result
        if (--open === 0) resume(Effect.succeed(results))
      }
      for (const [index, judgement] of judgements.entries()) {
        if (Result.isFailure(judgement)) settle(index, Result.fail(judgement.failure))
        else {
          const click = judgement.success
          pending.push({ click, answer: (outcome) => settle(index, receiptOf(click, outcome)) })
        }
      }
      commits.offerAll(pending)
    })

  return ClickRecorder.of({
    offer: (submission, onResult) => queue(judge(submission, clock.currentTimeMillisUnsafe()), onResult),
    record: (submission) =>
      Effect.suspend(() => judgeKeyed(submission, clock.currentTimeMillisUnsafe())).pipe(
        Effect.flatMap((judgement) =>
          Effect.callback<ClickReceipt, ClickRejected>((resume) =>
            queue(judgement, (result) => resume(Effect.fromResult(result)))
          )
        )
      ),
    recordAll: (submissions) =>
      submissions.length === 0 ? Effect.succeed([]) : Effect.flatMap(acceptAll(submissions), queueAll)
  })
})

/** The recorder with limits of one's own. A store that is away makes it drop clicks: see `layerSpooled`. */
export const layerWith = (
  options: Partial<ClickRecorderOptions>
): Layer.Layer<ClickRecorder, never, ClickStore | Quarantine> =>
  Layer.effect(ClickRecorder, make({ ...defaultOptions, ...options }, undefined, never))

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
