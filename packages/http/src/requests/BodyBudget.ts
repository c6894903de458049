import { Context, Effect } from "effect"

/** What a request does with its share of the budget. */
interface Use {
  /** There is room: the body may be read. */
  readonly begin: () => void
  /** The body has been arriving for too long while others waited. */
  readonly expel: () => void
}

/** The share of a request in the budget. */
export interface Share {
  /** Waits for room, behind those that came before. `begin` may be called before this returns. */
  readonly claim: (use: Use) => void
  /** The body has arrived. It keeps its room for as long as it is in use. */
  readonly arrived: () => void
  readonly release: () => void
}

interface Claim extends Use {
  readonly bytes: number
  /** When its body began to be read, in milliseconds; undefined while it waits. */
  since: number | undefined
}

// Applies only while others wait: 64 clients that hold back the last byte of a MiB would keep everyone else out.
const patienceMillis = 2_000
const sweepMillis = 250

/**
 * Bounds the bytes of request bodies in memory. A request claims its bytes before its body is read, and waits in the order of
 * arrival while there is no room; until then it costs no more than its connection. While requests wait, those whose bodies
 * have been arriving for longer than 2 seconds are expelled.
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

  /** A share of so many bytes, yet to be claimed. More than the whole budget counts as the whole. */
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

/** The budget of this server; 64 MiB unless the server has one of its own. */
export const Budget = Context.Reference<BodyBudget>("@clicks/http/clicks/BodyBudget", {
  defaultValue: () => new BodyBudget(64 * 1024 * 1024)
})

/** A share of the budget that is released when the scope closes: when the request is answered. */
export const shareOf = (bytes: number) =>
  Effect.acquireRelease(
    Effect.map(Budget, (budget) => budget.share(bytes)),
    (share) => Effect.sync(share.release)
  )
