import { randomBytes } from "node:crypto"

/** The clicks of one request. */
export interface Sending {
  readonly first: number
  readonly count: number
}

/** The outcomes of a request's clicks, according to the response. */
export interface Acknowledgement {
  readonly stored: number
  readonly spooled: number
  readonly duplicate: number
  readonly dropped: number
}

/** The known states of a click. */
export const states = {
  unanswered: 1,
  acknowledged: 2,
  /** Some clicks of its request were dropped. The response did not tell which. */
  partlyDropped: 3,
  /** Its request was not sent completely, so no click of it may be stored. */
  incomplete: 4,
  /** Rejected with an error although it is valid. */
  refused: 5,
  /** Sent completely by a client that may have left before its connection was accepted. Then its address cannot be determined. */
  left: 6
} as const

const most = 4_000_000

/** The end of the product ids that the test's database rejects. */
const poisonMark = "-poison"

export const isPoison = (productId: string): boolean => productId.endsWith(poisonMark)

/** The SQL condition under which the test's database accepts a click. */
export const takesAllBut = `product_id not like '%${poisonMark}'`

/**
 * Records every sent click and its acknowledgement, in the process of the test. A click is a number, which is in its product id.
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

  /** The sum of all acknowledgements. */
  get told(): Acknowledgement {
    return this.#told
  }

  /** The number of acknowledged clicks so far. */
  get acknowledged(): number {
    return this.#told.stored + this.#told.spooled + this.#told.duplicate
  }

  /** Responses that rejected clicks. */
  get refusals(): ReadonlyArray<string> {
    return this.#refusals
  }

  productId(number: number): string {
    return `${this.#run}-${number}${this.poisoned.has(number) ? poisonMark : ""}`
  }

  /** The number of the click with this product id; undefined if it was never sent. */
  numberOf(productId: string): number | undefined {
    const [run, text] = productId.split("-")
    const number = Number(text)
    return run === this.#run && number < this.#sent ? number : undefined
  }

  /** A unique idempotency key. */
  key(number: number): string {
    return `key-${this.#run}-${number}`
  }

  stateOf(number: number): number | undefined {
    return this.#state[number]
  }

  /** The first click of the same request. */
  firstOf(number: number): number {
    return this.#first[number] ?? 0
  }

  sentAt(number: number): number {
    return this.#sentAt[number] ?? 0
  }

  /** The id in the click's response. */
  idOf(number: number): string | undefined {
    return this.#ids.get(number)
  }

  /** Registers new clicks that are about to be sent. */
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

  /** `id`: the id of the click if the request has only one. */
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
