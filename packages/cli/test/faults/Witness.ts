import { randomBytes } from "node:crypto"

/** Clicks that went in one request. */
export interface Sending {
  readonly first: number
  readonly count: number
}

/** What an answer said of a request's clicks. */
export interface Acknowledgement {
  readonly stored: number
  readonly spooled: number
  readonly duplicate: number
  readonly dropped: number
}

/** What is known of a click. */
export const states = {
  unanswered: 1,
  acknowledged: 2,
  /** Of its request some were dropped; which, the answer did not say. */
  partlyDropped: 3,
  /** The request was never sent to its end: nothing of it may be stored. */
  incomplete: 4,
  /** Refused with an error, although there is nothing wrong with it. */
  refused: 5,
  /** Sent to its end by a client that was gone before it may have been accepted: then nobody can tell its address any more. */
  left: 6
} as const

const most = 4_000_000

/** How the product id of a click ends that the test's database refuses. */
const poisonMark = "-poison"

export const isPoison = (productId: string): boolean => productId.endsWith(poisonMark)

/** The condition, in SQL, under which the test's database takes a click. */
export const takesAllBut = `product_id not like '%${poisonMark}'`

/**
 * Writes down every click that is sent and what was acknowledged, in the process of the test. Clicks are numbers; the number
 * is in the click's product id.
 */
export class Witness {
  readonly #run = randomBytes(4).toString("hex")
  #sent = 0
  readonly #state = new Uint8Array(most)
  readonly #first = new Uint32Array(most)
  readonly #sentAt = new Float64Array(most)
  readonly #ids = new Map<number, string>()
  readonly poisoned = new Set<number>()
  /** Requests of which some clicks were dropped, and how many. */
  readonly dropped = new Map<Sending, number>()
  readonly #refusals: Array<string> = []
  #told: Acknowledgement = { stored: 0, spooled: 0, duplicate: 0, dropped: 0 }

  get sent(): number {
    return this.#sent
  }

  /** What answers said, all together. */
  get told(): Acknowledgement {
    return this.#told
  }

  /** Clicks that were acknowledged so far. */
  get acknowledged(): number {
    return this.#told.stored + this.#told.spooled + this.#told.duplicate
  }

  /** Answers that refused clicks. */
  get refusals(): ReadonlyArray<string> {
    return this.#refusals
  }

  productId(number: number): string {
    return `${this.#run}-${number}${this.poisoned.has(number) ? poisonMark : ""}`
  }

  /** The number of the click with this product id; undefined when it was never sent. */
  numberOf(productId: string): number | undefined {
    const [run, text] = productId.split("-")
    const number = Number(text)
    return run === this.#run && number < this.#sent ? number : undefined
  }

  /** An idempotency key that nobody else uses. */
  key(number: number): string {
    return `key-${this.#run}-${number}`
  }

  stateOf(number: number): number | undefined {
    return this.#state[number]
  }

  /** The first click of the request that carried this one. */
  firstOf(number: number): number {
    return this.#first[number] ?? 0
  }

  sentAt(number: number): number {
    return this.#sentAt[number] ?? 0
  }

  /** The id that the click's answer told. */
  idOf(number: number): string | undefined {
    return this.#ids.get(number)
  }

  /** Clicks that are sent from now on. */
  send(count: number): Sending {
    const first = this.#sent
    this.#sent += count
    if (this.#sent > most) throw new Error("The witness has no more numbers")
    this.#first.fill(first, first, first + count)
    this.#sentAt.fill(Date.now(), first, first + count)
    const sending = { first, count }
    this.mark(sending, "unanswered")
    return sending
  }

  mark({ count, first }: Sending, state: keyof typeof states): void {
    this.#state.fill(states[state], first, first + count)
  }

  refuse(sending: Sending, why: string): void {
    this.mark(sending, "refused")
    this.#refusals.push(why)
  }

  /** `id` is that of the click, where there is one click. */
  acknowledge(sending: Sending, told: Acknowledgement, id?: string): void {
    this.mark(sending, told.dropped > 0 ? "partlyDropped" : "acknowledged")
    if (told.dropped > 0) this.dropped.set(sending, told.dropped)
    if (id !== undefined) this.#ids.set(sending.first, id)
    this.#told = {
      stored: this.#told.stored + told.stored,
      spooled: this.#told.spooled + told.spooled,
      duplicate: this.#told.duplicate + told.duplicate,
      dropped: this.#told.dropped + told.dropped
    }
  }

  /** How many clicks are in one of these states. */
  count(...wanted: ReadonlyArray<keyof typeof states>): number {
    const numbers = new Set<number>(wanted.map((state) => states[state]))
    return this.#state.subarray(0, this.#sent).reduce((sum, one) => (numbers.has(one) ? sum + 1 : sum), 0)
  }
}
