import { Cause, Clock, Context, Duration, Effect, Fiber, Scheduler } from "effect"
import { monotonicMillisUnsafe } from "../../values/monotonicMillis.ts"
import type { ClickStore } from "../ClickStore.ts"
import type { ReceiptOutcome } from "./ClickReceipt.ts"
import type { AcceptedClick } from "./ClickSubmission.ts"
import { type PendingClick, PendingClicks } from "./PendingClicks.ts"
import type { Quarantine } from "./Quarantine.ts"
import { count, type Destination, spoolBatch, storeBatch } from "./storeBatch.ts"

export interface GroupCommitOptions {
  /** The maximum number of clicks committed together. */
  readonly maxBatch: number
  /**
   * The maximum number of single clicks that wait in memory for the store. Beyond it, those that have waited longest are spooled; without a
   * spool, new ones are dropped.
   */
  readonly maxPending: number
  /** The maximum number of batches of single clicks in progress. Requests with many clicks have one batch of their own beside them. */
  readonly writers: number
}

type Outcomes = ReadonlyArray<ReceiptOutcome>
type Writing = Set<Fiber.Fiber<Outcomes>>
type Write = (batch: ReadonlyArray<AcceptedClick>) => Effect.Effect<Outcomes, never, ClickStore | Quarantine>

// Each batch costs the store as much as four to ten clicks, in addition to its own clicks. So another batch is sent in parallel only if at
// least this many clicks wait for each batch in progress. With 16 connections, two batches then share the clicks, and neither core waits
// for the other.
const leastBeside = 8

// At most one line a second, so that a flood of clicks does not become a flood of log lines.
const betweenLines = 1000

/** The queue of the recorder: clicks that arrive while a batch is being stored are stored together in the next batch. */
export class GroupCommit {
  readonly #options: GroupCommitOptions
  readonly #destination: Destination
  readonly #fork: <A>(effect: Effect.Effect<A, never, ClickStore | Quarantine>) => Fiber.Fiber<A>
  readonly #clock: Clock.Clock
  readonly #dispatcher: Scheduler.SchedulerDispatcher
  readonly #storing: Writing = new Set()
  readonly #storingRequests: Writing = new Set()
  readonly #spooling: Writing = new Set()
  readonly #pending = new PendingClicks()
  /** Clicks to be spooled because the store did not accept them in time. */
  #overdue: Array<PendingClick> = []
  #loggedAt = Number.NEGATIVE_INFINITY
  #isScheduled = false
  #isClosed = false
  #onIdle = (): void => {}

  constructor(
    options: GroupCommitOptions,
    destination: Destination,
    context: Context.Context<ClickStore | Quarantine>
  ) {
    this.#options = options
    this.#destination = destination
    this.#fork = Effect.runForkWith(context)
    this.#clock = Context.get(context, Clock.Clock)
    this.#dispatcher = Context.get(context, Scheduler.Scheduler).makeDispatcher()
  }

  /** Queues one click. */
  offer(click: PendingClick): void {
    if (this.#hasRoom()) this.#pending.add(click)
    else this.#drop(click)
    this.#sendSoon()
  }

  /** Queues the clicks of one request. They take turns with other requests; single clicks do not wait for them. */
  offerAll(clicks: ReadonlyArray<PendingClick>): void {
    if (this.#isClosed) for (const click of clicks) this.#drop(click)
    else this.#pending.addRequest(clicks)
    this.#sendSoon()
  }

  /** Accepts no more clicks and waits until all are stored. After `duration`, interrupts the batches that are not. */
  closeWithin(duration: Duration.Duration): Effect.Effect<void> {
    const idle = Effect.callback<void>((resume) => {
      this.#isClosed = true
      this.#send()
      this.#onIdle = () => resume(Effect.void)
      if (this.#isIdle()) this.#onIdle()
    })
    return idle.pipe(
      Effect.timeoutOption(duration),
      Effect.andThen(
        Effect.suspend(() =>
          Fiber.interruptAll([...this.#storing, ...this.#storingRequests, ...this.#spooling])
        )
      )
    )
  }

  #isIdle(): boolean {
    return this.#storing.size + this.#storingRequests.size + this.#spooling.size === 0
  }

  #hasRoom(): boolean {
    const { maxPending } = this.#options
    const waiting = this.#destination.spool === undefined ? this.#pending.singles : this.#overdue.length
    return !this.#isClosed && waiting < maxPending
  }

  #drop({ answer }: PendingClick): void {
    const now = monotonicMillisUnsafe(this.#clock)
    if (now - this.#loggedAt >= betweenLines) {
      this.#loggedAt = now
      this.#fork(Effect.logError(`Dropping clicks: the queue of ${this.#options.maxPending} is full`))
    }
    this.#fork(count("dropped", 1))
    answer("dropped")
  }

  // Once per turn of the event loop, so that clicks read in the same turn are committed together.
  #sendSoon(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#dispatcher.scheduleTask(() => {
      this.#isScheduled = false
      this.#send()
    }, 0)
  }

  #send(): void {
    this.#spoolOverdue()
    const { maxBatch } = this.#options
    while (this.#maySend()) this.#store(this.#pending.takeSingles(maxBatch), this.#storing)
    if (this.#pending.requests > 0 && this.#storingRequests.size === 0) {
      this.#store(this.#pending.takeOfRequests(maxBatch), this.#storingRequests)
    }
  }

  #maySend(): boolean {
    const waiting = this.#pending.singles
    const inProgress = this.#storing.size
    return (
      waiting > 0 &&
      (inProgress === 0 || (inProgress < this.#options.writers && waiting >= leastBeside * inProgress))
    )
  }

  #store(batch: ReadonlyArray<PendingClick>, writing: Writing): void {
    this.#write(batch, (clicks) => storeBatch(clicks, this.#destination), writing)
  }

  #spoolOverdue(): void {
    const { spool, within } = this.#destination
    if (spool === undefined) return
    const instant = monotonicMillisUnsafe(this.#clock) - Duration.toMillis(within)
    const overdue = this.#pending.takeOverdue(instant, this.#options.maxPending)
    if (overdue.length > 0) this.#overdue = [...this.#overdue, ...overdue]
    if (this.#overdue.length === 0 || this.#spooling.size > 0) return
    this.#write(
      this.#overdue.splice(0, this.#options.maxBatch),
      (batch) => spoolBatch(batch, this.#destination, "The click store is too slow"),
      this.#spooling
    )
  }

  #write(batch: ReadonlyArray<PendingClick>, write: Write, writing: Writing): void {
    const fiber = this.#fork(
      Effect.tapDefect(write(batch.map(({ click }) => click)), (defect) =>
        Effect.logError(`Dropped clicks: ${batch.length}`, defect)
      )
    )
    writing.add(fiber)
    fiber.addObserver((exit) => {
      writing.delete(fiber)
      // The next batch is sent to the store before the clicks of this one are answered.
      this.#send()
      this.#answer(batch, exit._tag === "Success" ? exit.value : [])
      if (this.#isIdle()) this.#onIdle()
    })
  }

  // A callback that throws must not keep the others from being called.
  #answer(batch: ReadonlyArray<PendingClick>, outcomes: Outcomes): void {
    for (const [index, { answer }] of batch.entries()) {
      try {
        answer(outcomes[index] ?? "dropped")
      } catch (defect) {
        this.#fork(Effect.logError("Responding to a click failed", Cause.die(defect)))
      }
    }
  }
}
