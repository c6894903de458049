import type { PgClient } from "@effect/sql-pg"
import { Duration, Effect, Schedule, Stream } from "effect"

export interface Signals<Signal> {
  readonly heard: (payload: string) => Signal
  /** Emitted when the listener has connected or reconnected: it may have missed earlier notifications. */
  readonly connected: Signal
  /** Emitted when the connection is lost or cannot be opened. Not repeated until the listener has been connected again. */
  readonly lost?: Signal
  /** The maximum pause between attempts to connect. The first pause is half a second; each one is twice as long as the previous one. */
  readonly longestPause: Duration.Input
}

// If the server is dead, TCP would retransmit LISTEN for 15 minutes.
const listenTimeout = "5 seconds"

// The same as the interval at which the spool is drained.
const shortestPause = Duration.millis(500)

const pauseAfter = (failures: number, longest: Duration.Input) =>
  Duration.min(Duration.times(shortestPause, 2 ** (failures - 1)), Duration.fromInputUnsafe(longest))

/** The notifications of a channel from all processes. Never ends: after a lost connection, it reconnects. */
export const notifications = <Signal>(
  pg: Pick<PgClient.PgClient, "listen">,
  channel: string,
  { connected, heard, longestPause, lost }: Signals<Signal>
): Stream.Stream<Signal> =>
  Stream.suspend(() => {
    let failures = 0
    const failed = (error: unknown): Stream.Stream<Signal> => {
      failures++
      if (failures > 1) return Stream.empty
      const log = Stream.fromEffectDrain(Effect.logDebug(`Listening to ${channel} failed; retrying`, error))
      return lost === undefined ? log : Stream.prepend(log, [lost])
    }
    return Stream.unwrap(
      Effect.map(Effect.timeout(pg.listen(channel), listenTimeout), (queue) => {
        failures = 0
        return Stream.fromQueue(queue).pipe(
          Stream.map(({ payload }) => heard(payload)),
          Stream.prepend([connected])
        )
      })
    ).pipe(
      Stream.catch(failed),
      Stream.repeat(
        Schedule.modifyDelay(Schedule.forever, () => Effect.sync(() => pauseAfter(failures, longestPause)))
      )
    )
  })
