import { Clock, Context, Duration, Effect, Layer, Result } from "effect"
import type { ClickRejected } from "./ClickInput.ts"
import type { ClickReceipt, ReceiptOutcome } from "./ClickReceipt.ts"
import type { ClickStore } from "./ClickStore.ts"
import { acceptAll, type ClickSubmission } from "./ClickSubmission.ts"
import { drainForever } from "./drainSpool.ts"
import { GroupCommit, type GroupCommitOptions } from "./GroupCommit.ts"
import * as Outage from "./Outage.ts"
import type { Quarantine } from "./Quarantine.ts"
import { Spool } from "./Spool.ts"
import { count } from "./storeBatch.ts"

/** The one way in for clicks that arrive one by one: judges them and commits those that arrive together, together. */
export class ClickRecorder extends Context.Service<
  ClickRecorder,
  {
    /**
     * Records one click. Fails only when the click breaks a rule; whatever happens to the store is told in the receipt.
     * Once accepted, a click is written even when the caller is interrupted.
     */
    readonly record: (submission: ClickSubmission) => Effect.Effect<ClickReceipt, ClickRejected>
    /** Records many, each judged alone; the answers are in the order of the submissions. */
    readonly recordAll: (
      submissions: ReadonlyArray<ClickSubmission>
    ) => Effect.Effect<ReadonlyArray<Result.Result<ClickReceipt, ClickRejected>>>
  }
>()("@clicks/core/clicks/ClickRecorder") {}

export interface ClickRecorderOptions extends GroupCommitOptions {
  /** How long a click may wait for the store before it is given up. */
  readonly within: Duration.Input
}

export const defaultOptions: ClickRecorderOptions = {
  maxBatch: 500,
  maxPending: 20_000,
  writers: 2,
  within: "5 seconds"
}

type Answers = ReadonlyArray<Result.Result<ClickReceipt, ClickRejected>>

const make = Effect.fnUntraced(function* (
  options: ClickRecorderOptions,
  spool: Spool["Service"] | undefined,
  outage: Outage.Outage
) {
  const destination = { within: Duration.fromInputUnsafe(options.within), spool, outage }
  const commits = new GroupCommit(options, destination, yield* Effect.context<ClickStore | Quarantine>())
  // What was accepted is written before the store may close; a store that hangs holds the end up once, not per batch.
  yield* Effect.addFinalizer(() => commits.closeWithin(destination.within))

  // One line a second, not one a click: a flood must not become a flood of lines.
  let lastTold = 0
  const overflowed = Effect.fnUntraced(function* (clicks: number) {
    yield* count("dropped", clicks)
    const now = yield* Clock.currentTimeMillis
    if (now - lastTold < 1000) return
    lastTold = now
    yield* Effect.logError(`Clicks are dropped: ${options.maxPending} wait in memory already`)
  })

  // One wait for all of them: a fiber for each click would cost more than the judging.
  const write = (judgements: Effect.Success<ReturnType<typeof acceptAll>>) =>
    Effect.callback<Answers>((resume) => {
      const answers: Array<Answers[number]> = []
      let open = judgements.length
      let dropped = 0
      const settle = (index: number, answer: Answers[number]) => {
        answers[index] = answer
        if (--open === 0)
          resume(dropped === 0 ? Effect.succeed(answers) : Effect.as(overflowed(dropped), answers))
      }
      for (const [index, judgement] of judgements.entries()) {
        if (Result.isFailure(judgement)) {
          settle(index, Result.fail(judgement.failure))
          continue
        }
        const click = judgement.success
        const answer = (outcome: ReceiptOutcome) =>
          settle(index, Result.succeed({ id: click.event.id, outcome }))
        if (commits.offer(click, answer)) continue
        dropped++
        answer("dropped")
      }
      commits.send()
    })

  const recordAll = (submissions: ReadonlyArray<ClickSubmission>): Effect.Effect<Answers> =>
    submissions.length === 0 ? Effect.succeed([]) : Effect.flatMap(acceptAll(submissions), write)

  return ClickRecorder.of({
    record: (submission) =>
      Effect.flatMap(recordAll([submission]), ([answer]) =>
        answer === undefined ? Effect.die(new Error("A click got no answer")) : Effect.fromResult(answer)
      ),
    recordAll
  })
})

/** The recorder with limits of one's own. A store that is away makes it drop clicks: see `layerSpooled`. */
export const layerWith = (
  options: Partial<ClickRecorderOptions>
): Layer.Layer<ClickRecorder, never, ClickStore | Quarantine> =>
  Layer.effect(ClickRecorder, make({ ...defaultOptions, ...options }, undefined, Outage.never))

/** The recorder with limits that suit one process of a service. A store that is away makes it drop clicks. */
export const layer: Layer.Layer<ClickRecorder, never, ClickStore | Quarantine> = layerWith({})

/**
 * The recorder of the service: what the store cannot take in time waits in the spool, and is drained from there, in order,
 * for as long as the recorder lives. With `drains: false` that is left to another process with the same spool.
 */
export const layerSpooled = ({
  drains = true,
  ...options
}: Partial<ClickRecorderOptions> & { readonly drains?: boolean } = {}): Layer.Layer<
  ClickRecorder,
  never,
  ClickStore | Quarantine | Spool
> =>
  Layer.effect(
    ClickRecorder,
    Effect.gen(function* () {
      const spool = yield* Spool
      const outage = Outage.make()
      const limits = { ...defaultOptions, within: "2 seconds" as const, ...options }
      if (drains) yield* Effect.forkScoped(drainForever(limits.maxBatch, outage.ended))
      return yield* make(limits, spool, outage)
    })
  )
