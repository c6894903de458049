import type { ReceiptOutcome } from "./ClickReceipt.ts"
import type { AcceptedClick } from "./ClickSubmission.ts"

/** A click that waits to be stored. `answer` is called once, with the outcome. */
export interface PendingClick {
  readonly click: AcceptedClick
  /** When it began to wait, in `monotonicMillis`. */
  readonly since: number
  readonly answer: (outcome: ReceiptOutcome) => void
}

// In each turn, a request gets at most a fifth of a batch.
const turnsInBatch = 5

/** The waiting clicks: single ones in order of arrival, and requests with many, which take turns. */
export class PendingClicks {
  #singles: Array<PendingClick> = []
  /** The remaining clicks of each request; the first request has the next turn. */
  #requests: Array<ReadonlyArray<PendingClick>> = []

  get singles(): number {
    return this.#singles.length
  }

  get requests(): number {
    return this.#requests.length
  }

  add(click: PendingClick): void {
    this.#singles.push(click)
  }

  addRequest(clicks: ReadonlyArray<PendingClick>): void {
    if (clicks.length > 0) this.#requests.push(clicks)
  }

  /** Removes and returns the oldest single clicks, at most `count`. */
  takeSingles(count: number): ReadonlyArray<PendingClick> {
    return this.#singles.splice(0, count)
  }

  /** Removes and returns clicks of several requests, at most `count`. */
  takeOfRequests(count: number): ReadonlyArray<PendingClick> {
    const batch: Array<PendingClick> = []
    while (batch.length < count) {
      const request = this.#requests.shift()
      if (request === undefined) break
      const turn = Math.min(Math.ceil(count / turnsInBatch), count - batch.length)
      batch.push(...request.slice(0, turn))
      if (turn < request.length) this.#requests.push(request.slice(turn))
    }
    return batch
  }

  /** Removes and returns the clicks that have waited since `instant` or longer, and the oldest single clicks beyond `maxSingles`. */
  takeOverdue(instant: number, maxSingles: number): ReadonlyArray<PendingClick> {
    const isOverdue = (click: PendingClick | undefined) => click !== undefined && click.since <= instant
    let count = Math.max(0, this.#singles.length - maxSingles)
    while (isOverdue(this.#singles[count])) count++
    const requests = this.#requests.filter(([first]) => isOverdue(first))
    if (count === 0 && requests.length === 0) return []
    this.#requests = this.#requests.filter(([first]) => !isOverdue(first))
    return [...this.#singles.splice(0, count), ...requests.flat()]
  }
}
