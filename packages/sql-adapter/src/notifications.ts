import type { PgClient } from "@effect/sql-pg"
import { Effect, Schedule, Stream } from "effect"

export interface Signals<Signal> {
  readonly heard: (payload: string) => Signal
  /** When the listener is connected, also again: it may have missed notifications before. */
  readonly connected: Signal
  /** When the connection failed, and each attempt to connect. */
  readonly lost?: Signal
}

// If the server is dead, TCP would retransmit LISTEN for a quarter of an hour.
const listenTimeout = "5 seconds"

// The interval of the spool's drain.
const pause = "500 millis"

/** The notifications of a channel, by all processes. Never ends: a listener that is cut off reconnects. */
export const notifications = <Signal>(
  pg: PgClient.PgClient,
  channel: string,
  { connected, heard, lost }: Signals<Signal>
): Stream.Stream<Signal> =>
  Stream.unwrap(
    Effect.map(Effect.timeout(pg.listen(channel), listenTimeout), (queue) =>
      Stream.fromQueue(queue).pipe(
        Stream.map(({ payload }) => heard(payload)),
        Stream.prepend([connected])
      )
    )
  ).pipe(
    Stream.tapError((error) => Effect.logDebug(`Listening to ${channel} failed`, error)),
    Stream.catch(() => Stream.fromIterable(lost === undefined ? [] : [lost])),
    Stream.repeat(Schedule.spaced(pause))
  )
