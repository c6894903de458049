import { Context, Effect } from "effect"

/** Callbacks of a request that claims a share of the budget. */
interface Use {
  /** Called when there is room: the body may be read. */
  readonly begin: () => void
  /** Called when the body takes too long to arrive while other requests wait. */
  readonly expel: () => void
}

/** A request's share of the budget. */
export interface Share {
  /** Queues for room, behind earlier requests. May call `begin` before it returns. */
  readonly claim: (use: Use) => void
  /** Reports that the body has arrived. It keeps its room until `release`. */
  readonly arrived: () => void
  readonly release: () => void
}

interface Claim extends Use {
  readonly bytes: number
  /** When the body began to be read, in milliseconds; undefined while the request waits. */
  since: number | undefined
}

// Applies only while other requests wait. Without it, 64 clients that withhold the last byte of 1 MiB would block all others.
const patienceMillis = 2_000
const sweepMillis = 250

/**
 * Limits the size of all request bodies in memory. A request claims the size of its body before reading it. While there is no room, it
 * waits in order of arrival and takes no more memory than its connection. While requests wait, those whose bodies have been arriving for
 * more than 2 seconds are expelled.
 */
export class BodyBudget {
  readonly #limit: number
  readonly #waiting = new Set<Claim>()
  readonly #reading = new Set<Claim>()
  #taken = 0
  #sweeping: ReturnType<typeof setTimeout> | undefined

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Creates a share that is not claimed yet. A share larger than the budget counts as the whole budget. */
  share(bytes: number): Share {
    let claim: Claim | undefined
    return {
      claim: (use) => {
        claim = { ...use, bytes: Math.min(bytes, this.#limit), since: undefined }
        this.#waiting.add(claim)
        this.#admit()
      },
      arrived: () => {
        if (claim !== undefined) this.#reading.delete(claim)
      },
      release: () => {
        if (claim !== undefined) this.#release(claim)
        claim = undefined
      }
    }
  }

  #release(claim: Claim): void {
    this.#reading.delete(claim)
    this.#waiting.delete(claim)
    if (claim.since !== undefined) this.#taken -= claim.bytes
    this.#admit()
  }

  #admit(): void {
    for (const claim of this.#waiting) {
      if (this.#taken + claim.bytes > this.#limit) break
      this.#waiting.delete(claim)
      this.#reading.add(claim)
      this.#taken += claim.bytes
      claim.since = performance.now()
      claim.begin()
    }
    if (this.#waiting.size > 0) this.#sweeping ??= setTimeout(this.#sweep, sweepMillis)
  }

  readonly #sweep = (): void => {
    this.#sweeping = undefined
    if (this.#waiting.size === 0) return
    const latest = performance.now() - patienceMillis
    for (const { expel, since = latest } of [...this.#reading]) {
      if (since < latest) expel()
    }
    this.#admit()
  }
}

/** The budget of the server; 64 MiB if the server sets none. */
export const Budget = Context.Reference<BodyBudget>("@clicks/http/clicks/BodyBudget", {
  defaultValue: () => new BodyBudget(64 * 1024 * 1024)
})

/** A share of the budget that is released when the scope closes, that is, after the response. */
export const shareOf = (bytes: number) =>
  Effect.acquireRelease(
    Effect.map(Budget, (budget) => budget.share(bytes)),
    (share) => Effect.sync(share.release)
  )
