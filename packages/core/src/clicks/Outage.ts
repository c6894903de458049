import { Clock, Effect } from "effect"

// How long after a failed attempt the store is taken to be away without asking it. Short enough that a click is rarely
// spooled without need, long enough that an outage does not cost every batch a time-out.
const patienceMillis = 1000

/**
 * What this process knows of the store being away, so that clicks need not wait for a time-out each. After a failure they go
 * straight to the spool; once a second, and as soon as the spool's drain got through, the store is asked again.
 */
export interface Outage {
  /** Whether to take the store for away now. One caller a second is told no, and so becomes the probe. */
  readonly isOn: Effect.Effect<boolean>
  readonly began: Effect.Effect<void>
  readonly ended: Effect.Effect<void>
}

export const make = (): Outage => {
  let until = 0
  return {
    isOn: Effect.map(Clock.currentTimeMillis, (now) => {
      if (until === 0) return false
      if (now < until) return true
      until = now + patienceMillis
      return false
    }),
    began: Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const isNews = until === 0
      until = now + patienceMillis
      return isNews ? Effect.logWarning("The click store is away; clicks go to the spool") : Effect.void
    }),
    ended: Effect.suspend(() => {
      const isNews = until !== 0
      until = 0
      return isNews ? Effect.logInfo("The click store is back") : Effect.void
    })
  }
}

/** For a recorder without a spool: the store is always asked. */
export const never: Outage = { isOn: Effect.succeed(false), began: Effect.void, ended: Effect.void }
