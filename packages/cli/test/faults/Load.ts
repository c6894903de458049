import { setTimeout as wait } from "node:timers/promises"
import { RawConnection } from "../../../http/test/rawSocket.ts"
import { noteAnswer, requestOf } from "./ClickRequest.ts"
import type { Sending, Witness } from "./Witness.ts"

export interface LoadOptions {
  /** Connections that send click by click. */
  readonly singles: number
  /** Connections that send many clicks a request. */
  readonly batches: number
  readonly clicksInBatch: number
  /** Clicks a second that are sent at most; a fault of minutes shall not fill the disk. */
  readonly perSecond: number
}

// A client that knocks at a closed door: often, so that the first moments of a service are under load.
const betweenKnocks = 20

// When a service has not answered for so long after the faults are gone, it never will.
const patience = 45_000

/**
 * Clients that send clicks for as long as they may, over connections that they open anew when they break. Every third request
 * carries an idempotency key, and is sent again under it until it is answered; others are sent once.
 */
export class Load {
  readonly #port: number
  readonly #witness: Witness
  readonly #interval: number
  readonly #lanes: ReadonlyArray<Promise<void>>
  readonly #open = new Set<RawConnection>()
  #isOn = true
  #isOver = false
  #nextAt = 0
  #requests = 0

  constructor(port: number, witness: Witness, options: LoadOptions) {
    this.#port = port
    this.#witness = witness
    this.#interval = 1000 / options.perSecond
    this.#lanes = [
      ...Array.from({ length: options.singles }, () => this.#lane(1)),
      ...Array.from({ length: options.batches }, () => this.#lane(options.clicksInBatch))
    ]
  }

  /** Sends nothing new and returns when everything that may be answered is: for when the faults are gone. */
  async stop(): Promise<void> {
    this.#isOn = false
    const late = setTimeout(() => this.giveUp(), patience)
    await Promise.all(this.#lanes)
    clearTimeout(late)
    this.giveUp()
  }

  /** Ends at once, whatever is under way. */
  giveUp(): void {
    this.#isOn = false
    this.#isOver = true
    for (const connection of this.#open) connection.cut()
  }

  async #lane(count: number): Promise<void> {
    let connection: RawConnection | undefined
    while (this.#isOn) {
      await this.#turn(count)
      if (!this.#isOn) break
      const sending = this.#witness.send(count)
      const isKeyed = this.#requests++ % 3 === 0
      connection = await this.#deliver(connection, sending, isKeyed)
    }
    connection?.cut()
  }

  async #deliver(
    given: RawConnection | undefined,
    sending: Sending,
    isKeyed: boolean
  ): Promise<RawConnection | undefined> {
    const request = requestOf(this.#witness, sending, isKeyed)
    let connection = given
    while (!this.#isOver) {
      if (connection?.isOpen !== true) connection = await this.#connect()
      if (connection === undefined) return undefined
      try {
        noteAnswer(this.#witness, sending, await connection.send(request))
        return connection
      } catch {
        this.#open.delete(connection)
        if (!isKeyed) return undefined
      }
    }
    return undefined
  }

  async #connect(): Promise<RawConnection | undefined> {
    while (!this.#isOver) {
      try {
        const connection = await RawConnection.open(this.#port)
        this.#open.add(connection)
        return connection
      } catch {
        await wait(betweenKnocks)
      }
    }
    return undefined
  }

  // Each click has its instant; who is late goes at once, but the lateness of a pause is not made up for.
  async #turn(count: number): Promise<void> {
    const now = performance.now()
    this.#nextAt = Math.max(this.#nextAt, now - 100) + count * this.#interval
    if (this.#nextAt > now) await wait(this.#nextAt - now)
  }
}
