import { Cause, Clock, Context, Duration, Effect, Fiber, Scheduler } from "effect"
import { monotonicMillisUnsafe } from "../../values/monotonicMillis.ts"
import type { ClickStore } from "../ClickStore.ts"
import type { ReceiptOutcome } from "./ClickReceipt.ts"
import type { AcceptedClick } from "./ClickSubmission.ts"
import { type PendingClick, PendingClicks } from "./PendingClicks.ts"
import type { Quarantine } from "./Quarantine.ts"
import { count, type Destination, spoolBatch, storeBatch } from "./storeBatch.ts"

export interface GroupCommitOptions {
  /** Clicks committed together at most. */
  readonly maxBatch: number
  /**
   * Single clicks that may wait in memory for the store. Beyond it, those that have waited longest go to the spool; without a
   * spool, further ones are dropped.
   */
  readonly maxPending: number
  /** Batches of single clicks under way at once, at most. Requests with many clicks have one batch of their own beside them. */
  readonly writers: number
}

type Outcomes = ReadonlyArray<ReceiptOutcome>
type Writing = Set<Fiber.Fiber<Outcomes>>
type Write = (batch: ReadonlyArray<AcceptedClick>) => Effect.Effect<Outcomes, never, ClickStore | Quarantine>

// A batch costs the store as much as four to ten clicks, whatever its size. So a further one is sent beside others only with several clicks for
// each of them: with 16 connections two batches share them, and no core waits for the other.
const leastBeside = 8

// One line a second, not one a click: a flood of clicks must not become a flood of lines.
const betweenLines = 1000

/** The queue of the recorder: clicks that arrive while a batch is stored are stored together as the next. */
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
  /** Clicks that wait for the spool because the store did not take them in time. */
  #overdue: Array<PendingClick> = []
  #toldAt = Number.NEGATIVE_INFINITY
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

  /** Takes one click. */
  offer(click: PendingClick): void {
    if (this.#hasRoom()) this.#pending.add(click)
    else this.#drop(click)
    this.#sendSoon()
  }

  /** Takes the clicks of one request. They take turns with other requests; single clicks do not wait for them. */
  offerAll(clicks: ReadonlyArray<PendingClick>): void {
    if (this.#isClosed) for (const click of clicks) this.#drop(click)
    else this.#pending.addRequest(clicks)
    this.#sendSoon()
  }

  /** Waits until all is stored, takes no more, and gives up what is not stored in time. */
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
    if (now - this.#toldAt >= betweenLines) {
      this.#toldAt = now
      this.#fork(Effect.logError(`Dropping clicks: the queue of ${this.#options.maxPending} is full`))
    }
    this.#fork(count("dropped", 1))
    answer("dropped")
  }

  // Once a turn of the event loop: the clicks that are read in one turn are committed together.
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
    const underWay = this.#storing.size
    return (
      waiting > 0 &&
      (underWay === 0 || (underWay < this.#options.writers && waiting >= leastBeside * underWay))
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
      // The store has the next batch before those that wait for this one are answered.
      this.#send()
      this.#answer(batch, exit._tag === "Success" ? exit.value : [])
      if (this.#isIdle()) this.#onIdle()
    })
  }

  // An answer that throws must not keep the others from theirs.
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
