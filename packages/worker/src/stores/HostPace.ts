import { monotonicMillis } from "@clicks/core/values/monotonicMillis"
import { Duration, Effect } from "effect"

/** Waits for the host's next turn. */
export type HostPace = (host: string) => Effect.Effect<void>

const manyHosts = 1000

/**
 * Delays requests so that those to one host begin at least `interval` apart, in the order of the calls. Hosts do not wait for each other.
 * Counts only the requests of this process.
 */
export const make = (interval: Duration.Input): HostPace => {
  const pause = Duration.toMillis(Duration.fromInputUnsafe(interval))
  const nextTurn = new Map<string, number>()

  const forgetPast = (now: number) => {
    for (const [host, turn] of nextTurn) if (turn <= now) nextTurn.delete(host)
  }

  return Effect.fnUntraced(function* (host: string) {
    const now = yield* monotonicMillis
    const turn = Math.max(now, nextTurn.get(host) ?? now)
    if (nextTurn.size >= manyHosts) forgetPast(now)
    nextTurn.set(host, turn + pause)
    if (turn > now) yield* Effect.sleep(turn - now)
  })
}
