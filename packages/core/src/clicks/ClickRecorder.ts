import { Clock, Context, Duration, Effect, Fiber, Layer, Queue, type Result } from "effect"
import type { Done } from "effect/Cause"
import type { ClickRejected } from "./ClickInput.ts"
import type { ClickReceipt, ReceiptOutcome } from "./ClickReceipt.ts"
import type { ClickStore } from "./ClickStore.ts"
import { type AcceptedClick, accept, type ClickSubmission } from "./ClickSubmission.ts"
import { drainForever } from "./drainSpool.ts"
import * as Outage from "./Outage.ts"
import type { Quarantine } from "./Quarantine.ts"
import { Spool } from "./Spool.ts"
import { count, type Destination, storeBatch } from "./storeBatch.ts"

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

export interface ClickRecorderOptions {
  /** Clicks committed together at most. */
  readonly maxBatch: number
  /** Clicks that may wait in memory; beyond, they are dropped (and told so) rather than let memory grow. */
  readonly maxPending: number
  /** Batches under way at once. With two, one is filled while the other commits. */
  readonly writers: number
  /** How long a click may wait for the store before it is given up. */
  readonly within: Duration.Input
}

export const defaultOptions: ClickRecorderOptions = {
  maxBatch: 500,
  maxPending: 20_000,
  writers: 2,
  within: "5 seconds"
}

interface Pending {
  readonly click: AcceptedClick
  /** Lets whoever waits for the outcome go on. */
  readonly answer: (outcome: Effect.Effect<ReceiptOutcome>) => void
}

const answers: Readonly<Record<ReceiptOutcome, Effect.Effect<ReceiptOutcome>>> = {
  stored: Effect.succeed("stored"),
  duplicate: Effect.succeed("duplicate"),
  spooled: Effect.succeed("spooled"),
  dropped: Effect.succeed("dropped")
}

const writer = Effect.fnUntraced(function* (
  queue: Queue.Dequeue<Pending, Done>,
  maxBatch: number,
  destination: Destination
) {
  while (true) {
    const batch = yield* Queue.takeBetween(queue, 1, maxBatch)
    const clicks = batch.map((pending) => pending.click)
    const outcomes = yield* storeBatch(clicks, destination)
    for (const [index, pending] of batch.entries()) {
      pending.answer(answers[outcomes[index] ?? "dropped"])
    }
  }
})

const make = Effect.fnUntraced(function* (
  options: ClickRecorderOptions,
  spool: Spool["Service"] | undefined,
  outage: Outage.Outage
) {
  const destination = { within: Duration.fromInputUnsafe(options.within), spool, outage }
  const queue = yield* Queue.dropping<Pending, Done>(options.maxPending)
  const writers = yield* Effect.forEach(Array.from({ length: options.writers }), () =>
    Effect.forkDetach(writer(queue, options.maxBatch, destination))
  )
  // What was accepted is written before the store may close; a store that hangs holds the end up once, not per batch.
  const close = Queue.end(queue).pipe(
    Effect.andThen(Fiber.awaitAll(writers)),
    Effect.timeoutOption(options.within),
    Effect.andThen(Fiber.interruptAll(writers))
  )
  yield* Effect.addFinalizer(() => close)

  // One line a second, not one a click: a flood must not become a flood of lines.
  let lastTold = 0
  const overflowed = Effect.gen(function* () {
    yield* count("dropped", 1)
    const now = yield* Clock.currentTimeMillis
    if (now - lastTold < 1000) return
    lastTold = now
    yield* Effect.logError(`Clicks are dropped: ${options.maxPending} wait in memory already`)
  })

  const write = (click: AcceptedClick) =>
    Effect.callback<ReceiptOutcome>((answer) => {
      if (!Queue.offerUnsafe(queue, { click, answer })) answer(Effect.as(overflowed, "dropped" as const))
    })

  const record = (submission: ClickSubmission) =>
    Effect.flatMap(accept(submission), (click) =>
      Effect.map(write(click), (outcome) => ({ id: click.event.id, outcome }))
    )

  return ClickRecorder.of({
    record,
    recordAll: (submissions) =>
      Effect.forEach(submissions, (submission) => Effect.result(record(submission)), {
        concurrency: "unbounded"
      })
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
