import type { ReceiptOutcome } from "./ClickReceipt.ts"
import type { AcceptedClick } from "./ClickSubmission.ts"

/** A click that waits to be stored. `answer` is called once, with its outcome. */
export interface PendingClick {
  readonly click: AcceptedClick
  readonly answer: (outcome: ReceiptOutcome) => void
}

// A fifth of a batch is the turn of one request with many clicks, and is kept for such requests while single clicks could fill the batch.
const turnsInBatch = 5

/**
 * The clicks that wait. Single clicks go first, so their wait does not depend on how many requests with many clicks there are;
 * those take turns, so that none of them waits for the whole of another.
 */
export class PendingClicks {
  #singles: Array<PendingClick> = []
  /** What is left of each request; the first has the next turn. */
  #requests: Array<ReadonlyArray<PendingClick>> = []
  #size = 0

  get size(): number {
    return this.#size
  }

  get singles(): number {
    return this.#singles.length
  }

  add(click: PendingClick): void {
    this.#singles.push(click)
    this.#size++
  }

  addRequest(clicks: ReadonlyArray<PendingClick>): void {
    if (clicks.length > 0) this.#requests.push(clicks)
    this.#size += clicks.length
  }

  /** Takes out the clicks that are stored next, at most `maxBatch`. */
  takeBatch(maxBatch: number): ReadonlyArray<PendingClick> {
    const kept = this.#requests.length > 0 ? Math.floor(maxBatch / turnsInBatch) : 0
    const batch = this.#singles.splice(0, maxBatch - kept)
    while (batch.length < maxBatch) {
      const request = this.#requests.shift()
      if (request === undefined) break
      const turn = Math.min(Math.ceil(maxBatch / turnsInBatch), maxBatch - batch.length)
      batch.push(...request.slice(0, turn))
      if (turn < request.length) this.#requests.push(request.slice(turn))
    }
    this.#size -= batch.length
    return batch
  }

  /** Takes out the clicks received at `instant` or before, and the oldest single clicks beyond `maxSingles`. */
  takeOverdue(instant: number, maxSingles: number): ReadonlyArray<PendingClick> {
    const isOverdue = (click: PendingClick | undefined) =>
      click !== undefined && click.click.event.received_at.getTime() <= instant
    let count = Math.max(0, this.#singles.length - maxSingles)
    while (isOverdue(this.#singles[count])) count++
    const requests = this.#requests.filter(([first]) => isOverdue(first))
    if (count === 0 && requests.length === 0) return []
    this.#requests = this.#requests.filter(([first]) => !isOverdue(first))
    const overdue = [...this.#singles.splice(0, count), ...requests.flat()]
    this.#size -= overdue.length
    return overdue
  }
}
