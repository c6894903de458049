import { randomBytes } from "node:crypto"
import { clickOf, rowOf } from "./NumberedClick.ts"

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

export type StoredRow = Readonly<Record<string, unknown>>

/** What was counted. The second half is what must be 0. */
export interface Findings {
  readonly sent: number
  readonly stored: number
  readonly spooled: number
  readonly duplicate: number
  readonly dropped: number
  readonly unanswered: number
  /** Acknowledged and not there. */
  readonly missing: number
  /** There more than once. */
  readonly doubled: number
  /** There with another value, under another id, or received before it was sent. */
  readonly changed: number
  /** There and never sent, or not sent to its end. */
  readonly unsent: number
  /** Refused with an error, although there is nothing wrong with them. */
  readonly refused: number
}

const most = 4_000_000

/** How the product id of a click ends that the test's database refuses. */
export const poisonMark = "-poison"

const unanswered = 1
const acknowledged = 2
const partlyDropped = 3
const incomplete = 4
const refused = 5
const gone = 6

/**
 * Writes down every click that is sent and what was acknowledged, in the process of the test, and compares it with what is
 * there afterwards. Clicks are numbers; the number is in the click's product id.
 */
export class Witness {
  readonly #run = randomBytes(4).toString("hex")
  #next = 0
  readonly #state = new Uint8Array(most)
  readonly #first = new Uint32Array(most)
  readonly #sentAt = new Float64Array(most)
  readonly #poison = new Set<number>()
  readonly #ids = new Map<number, string>()
  readonly #dropped = new Map<number, { readonly count: number; readonly dropped: number }>()
  readonly #told = { stored: 0, spooled: 0, duplicate: 0, dropped: 0 }
  readonly #examples: Array<string> = []

  /** Clicks that were acknowledged so far. */
  get acknowledged(): number {
    return this.#told.stored + this.#told.spooled + this.#told.duplicate
  }

  get stored(): number {
    return this.#told.stored
  }

  get spooled(): number {
    return this.#told.spooled
  }

  get dropped(): number {
    return this.#told.dropped
  }

  /** What was found wrong, a few of each, for a person. */
  get examples(): ReadonlyArray<string> {
    return this.#examples
  }

  productId(number: number): string {
    return `${this.#run}-${number}${this.#poison.has(number) ? poisonMark : ""}`
  }

  /** Makes this click, which is not sent yet, one that the test's database refuses. */
  poison(number: number): void {
    this.#poison.add(number)
  }

  /** An idempotency key that nobody else uses. */
  key(number: number): string {
    return `key-${this.#run}-${number}`
  }

  /** Clicks that are sent from now on. */
  send(count: number): Sending {
    const first = this.#next
    this.#next += count
    if (this.#next > most) throw new Error("The witness has no more numbers")
    this.#state.fill(unanswered, first, first + count)
    this.#first.fill(first, first, first + count)
    this.#sentAt.fill(Date.now(), first, first + count)
    return { first, count }
  }

  /** The request was never sent to its end: nothing of it may be stored. */
  brokenOff({ count, first }: Sending): void {
    this.#state.fill(incomplete, first, first + count)
  }

  /**
   * The request was sent to its end, and its sender is gone before it may have been accepted. Then nobody can tell the
   * address any more.
   */
  left({ count, first }: Sending): void {
    this.#state.fill(gone, first, first + count)
  }

  refused({ count, first }: Sending, why: string): void {
    this.#state.fill(refused, first, first + count)
    this.#example(`refused: ${why}`)
  }

  /** `id` is that of the click, where there is one click. */
  acknowledge({ count, first }: Sending, told: Acknowledgement, id?: string): void {
    this.#state.fill(told.dropped > 0 ? partlyDropped : acknowledged, first, first + count)
    if (told.dropped > 0) this.#dropped.set(first, { count, dropped: told.dropped })
    if (id !== undefined) this.#ids.set(first, id)
    this.#told.stored += told.stored
    this.#told.spooled += told.spooled
    this.#told.duplicate += told.duplicate
    this.#told.dropped += told.dropped
  }

  /** Compares with everything that is there: what is stored, and originals in the quarantine. */
  async judge(rows: AsyncIterable<StoredRow>, originals: ReadonlyArray<StoredRow>): Promise<Findings> {
    const seen = new Uint8Array(this.#next)
    const counts = { missing: 0, doubled: 0, changed: 0, unsent: 0 }
    for await (const row of rows) {
      const number = this.#numberOf(row)
      if (number === undefined || this.#state[number] === incomplete) {
        counts.unsent++
        this.#example(`not sent: ${JSON.stringify(row)}`)
        continue
      }
      if (seen[number] === 1) {
        counts.doubled++
        this.#example(`doubled: ${JSON.stringify(row)}`)
      } else if (this.#isChanged(number, row)) counts.changed++
      seen[number] = 1
    }
    const poisoned = this.#quarantined(originals)
    for (const number of seen.keys()) {
      const isThere = this.#poison.has(number) ? poisoned.has(number) : seen[number] === 1
      const mustBe = this.#state[number] === acknowledged || this.#poison.has(number)
      if (mustBe && !isThere) {
        counts.missing++
        this.#example(`missing: ${this.productId(number)} ${this.#ids.get(number) ?? ""}`)
      }
    }
    counts.missing += this.#missingOfPartlyDropped(seen)
    return {
      sent: this.#next,
      ...this.#told,
      unanswered: this.#count(unanswered) + this.#count(incomplete) + this.#count(gone),
      ...counts,
      refused: this.#count(refused)
    }
  }

  #numberOf(row: StoredRow): number | undefined {
    const [run, text] = String(row["product_id"]).split("-")
    const number = Number(text)
    return run === this.#run && number < this.#next ? number : undefined
  }

  /** Poisoned clicks whose original is there, once and as it was sent. */
  #quarantined(originals: ReadonlyArray<StoredRow>): ReadonlySet<number> {
    return new Set(
      [...this.#poison].filter((number) => {
        const sent = clickOf(number, this.productId(number))
        const kept = originals.filter((original) => original["product_id"] === sent["product_id"])
        return kept.length === 1 && Object.entries(sent).every(([name, value]) => kept[0]?.[name] === value)
      })
    )
  }

  #isChanged(number: number, row: StoredRow): boolean {
    const expected = rowOf(number, this.productId(number), this.#first[number] ?? 0)
    const mayBeUnknown = this.#state[number] === gone ? "ip_address" : ""
    const wrong = Object.entries(expected).find(
      ([name, value]) => row[name] !== value && !(name === mayBeUnknown && row[name] === null)
    )
    const id = this.#ids.get(number)
    const hasOtherId = id !== undefined && id !== row["id"]
    const receivedAt = Date.parse(String(row["received_at"]))
    const isTooEarly = !(receivedAt >= (this.#sentAt[number] ?? 0) - 1 && receivedAt <= Date.now())
    if (wrong === undefined && !hasOtherId && !isTooEarly) return false
    this.#example(`changed: ${wrong ?? ""} ${hasOtherId ? id : ""} ${JSON.stringify(row)}`)
    return true
  }

  #missingOfPartlyDropped(seen: Uint8Array): number {
    let missing = 0
    for (const [first, { count, dropped }] of this.#dropped) {
      const there = seen.subarray(first, first + count).reduce((sum, one) => sum + one, 0)
      missing += Math.max(0, count - dropped - there)
    }
    return missing
  }

  #count(state: number): number {
    return this.#state.subarray(0, this.#next).reduce((sum, one) => (one === state ? sum + 1 : sum), 0)
  }

  #example(text: string): void {
    if (this.#examples.length < 20) this.#examples.push(text)
  }
}
