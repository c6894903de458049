import { Clock, Context, Data, Duration, Effect, Latch, Layer } from "effect"
import { answerWithin } from "./answerWithin.ts"

/** The database is away: it did not answer this call in time, or an outage was on or began meanwhile. */
export class DatabaseAway extends Data.TaggedError("DatabaseAway") {
  override readonly message = "The database does not answer"
}

type Ask = <A, E, R>(
  call: Effect.Effect<A, E, R>,
  within: Duration.Input
) => Effect.Effect<A, E | DatabaseAway, R>

/**
 * Whether the database is away. One state for everything that a click waits for, the store and the look-up of its key, so
 * that a single timeout serves both:
 *
 *     available ── a call times out, or the store fails (`began`) ──▶ away ── a quick answer to the drain's probe (`answered`) ──▶ available
 *
 * No click waits for a database that is away. Calls in flight give up when an outage begins, and no traffic ends it: the
 * drain of the spool probes the store beside the traffic (`drainForever`).
 */
export class Outage extends Context.Service<
  Outage,
  {
    readonly isOn: Effect.Effect<boolean>
    readonly began: Effect.Effect<void>
    /** The database answered a probe, after this long. A quick answer ends the outage. */
    readonly answered: (elapsed: Duration.Duration) => Effect.Effect<void>
    /**
     * The call's answer. Fails with `DatabaseAway` at once while an outage is on, and as soon as one begins, which it does
     * when the call takes longer than `within`. A call that was given up is interrupted in the background.
     */
    readonly ask: Ask
    /** As `ask`, but a late answer begins no outage: a look-up may also be late because long listings hold all connections. */
    readonly askQuietly: Ask
    /** When a call was last answered, in milliseconds since the epoch; 0 before the first answer. */
    readonly lastAnswer: Effect.Effect<number>
  }
>()("@clicks/core/Outage") {}

// Half of what a click may wait for the store. A store between the two stays away, instead of coming and going.
const quick = Duration.seconds(1)

const away = Effect.fail(new DatabaseAway())

const make = (): Outage["Service"] => {
  // Open during an outage: that releases everything that waits for an answer.
  const outage = Latch.makeUnsafe(false)
  let lastAnswer = 0
  // Uninterruptible: to open the latch ends the race of the call that timed out, with this on the losing side.
  const began = Effect.uninterruptible(
    Effect.suspend(() =>
      outage.openUnsafe()
        ? Effect.logWarning("The database is unavailable; spooling clicks until it is back")
        : Effect.void
    )
  )
  const ended = Effect.suspend(() =>
    outage.closeUnsafe() ? Effect.logInfo("The database is available again") : Effect.void
  )
  const note = Effect.map(Clock.currentTimeMillis, (now) => {
    lastAnswer = now
  })
  const asking =
    (onLate: Effect.Effect<void>): Ask =>
    (call, within) =>
      Effect.suspend(() =>
        outage.isOpen()
          ? away
          : Effect.raceFirst(
              answerWithin(call, within, () => Effect.andThen(onLate, away)),
              Effect.andThen(outage.await, away)
            ).pipe(Effect.tap(() => note))
      )
  return {
    isOn: Effect.sync(() => outage.isOpen()),
    began,
    answered: (elapsed) =>
      Effect.andThen(note, Duration.isLessThanOrEqualTo(elapsed, quick) ? ended : Effect.void),
    ask: asking(began),
    askQuietly: asking(Effect.void),
    lastAnswer: Effect.sync(() => lastAnswer)
  }
}

/** No outage has been noticed yet. */
export const layer: Layer.Layer<Outage> = Layer.sync(Outage, make)

const askAlways: Ask = (call, within) => answerWithin(call, within, () => away)

/** For clicks that have nowhere else to go: the database is always asked. */
export const never: Outage["Service"] = {
  isOn: Effect.succeed(false),
  began: Effect.void,
  answered: () => Effect.void,
  ask: askAlways,
  askQuietly: askAlways,
  lastAnswer: Effect.succeed(0)
}
