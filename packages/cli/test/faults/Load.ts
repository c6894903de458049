import { setTimeout as wait } from "node:timers/promises"
import { RawConnection } from "../../../http/test/rawSocket.ts"
import { noteAnswer, requestOf } from "./ClickRequest.ts"
import type { Sending, Witness } from "./Witness.ts"

export interface LoadOptions {
  /** Connections that send one click per request. */
  readonly singles: number
  /** Connections that send many clicks per request. */
  readonly batches: number
  readonly clicksInBatch: number
  /** Maximum clicks per second, so that a fault of minutes does not fill the disk. */
  readonly perSecond: number
}

// The retry interval while the port is closed. Short, so that a service is under load as soon as it starts.
const retryMillis = 20

// A service that has not responded for this long after the end of the faults never will.
const responseTimeout = 45_000

/**
 * Clients that send clicks until they are stopped. They reopen broken connections. Every third request has an idempotency key and
 * is retried with it until there is a response; others are sent once.
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

  /** Sends no new requests and waits for all pending responses. Call it when the faults are over. */
  async stop(): Promise<void> {
    this.#isOn = false
    const late = setTimeout(() => this.giveUp(), responseTimeout)
    await Promise.all(this.#lanes)
    clearTimeout(late)
    this.giveUp()
  }

  /** Stops at once, without waiting for responses. */
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
        await wait(retryMillis)
      }
    }
    return undefined
  }

  // Each click has a scheduled time. A late click is sent at once, but the clicks missed during a pause are not made up for.
  async #turn(count: number): Promise<void> {
    const now = performance.now()
    this.#nextAt = Math.max(this.#nextAt, now - 100) + count * this.#interval
    if (this.#nextAt > now) await wait(this.#nextAt - now)
  }
}
