import { Clock, Context, Data, Duration, Effect, type Fiber, Layer, type Scope } from "effect"
import { monotonicMillisUnsafe } from "./values/monotonicMillis.ts"

/** The call failed because the database did not answer in time, or because of an outage. */
export class DatabaseAway extends Data.TaggedError("DatabaseAway") {
  override readonly message = "The database does not answer"
}

type Ask = <A, E, R>(
  call: Effect.Effect<A, E, R>,
  within: Duration.Input
) => Effect.Effect<A, E | DatabaseAway, R>

/**
 * Whether the database is available. The store and the lookup of keys share this state, so that a single timeout serves both:
 *
 *     available ── a call times out, or the store fails (`began`) ──▶ away ── a quick answer to the drain's probe (`answered`) ──▶ available
 *
 * During an outage no click waits for the database. Calls in flight fail when an outage begins. Traffic does not end it: the drain of the
 * spool probes the store (`drainForever`).
 */
export class Outage extends Context.Service<
  Outage,
  {
    readonly isOn: Effect.Effect<boolean>
    readonly began: Effect.Effect<void>
    /** Reports that the database answered a probe after this long. A quick answer ends the outage. */
    readonly answered: (elapsed: Duration.Duration) => Effect.Effect<void>
    /**
     * Returns the result of the call. Fails with `DatabaseAway` at once during an outage, and as soon as one begins. A call that takes
     * longer than `within` begins an outage. An abandoned call is interrupted in the background.
     */
    readonly ask: Ask
    /** Like `ask`, but a late call does not begin an outage: a lookup may also be late because long listings use all connections. */
    readonly askQuietly: Ask
    /** When the database last answered a call, in `monotonicMillis`; -∞ before the first answer. */
    readonly lastAnswer: Effect.Effect<number>
  }
>()("@clicks/core/Outage") {}

// Half of the time that a click may wait for the store. If the store takes longer, the outage continues; otherwise, its state would
// alternate.
const quick = Duration.seconds(1)

const away = Effect.fail(new DatabaseAway())

interface Call {
  /** In `monotonicMillis`. */
  readonly deadline: number
  /** Whether it begins an outage when it is late. */
  readonly beginsOutage: boolean
  readonly giveUp: () => void
}

const make = Effect.fnUntraced(function* (mayBegin: boolean) {
  const context = yield* Effect.context<never>()
  const fork = Effect.runForkWith(context)
  const clock = Context.get(context, Clock.Clock)
  const now = (): number => monotonicMillisUnsafe(clock)
  const calls = new Set<Call>()
  let isOn = false
  let lastAnswer = Number.NEGATIVE_INFINITY

  const begin = (): void => {
    if (isOn || !mayBegin) return
    isOn = true
    fork(Effect.logWarning("The database is unavailable; spooling clicks until it is back"))
    for (const call of calls) call.giveUp()
  }

  const end = (): void => {
    if (!isOn) return
    isOn = false
    fork(Effect.logInfo("The database is available again"))
  }

  // One timer serves all calls: a timer for each would cost a batch of clicks more than its insert.
  let timer: Fiber.Fiber<void> | undefined
  let wakesAt = Number.POSITIVE_INFINITY
  yield* Effect.addFinalizer(() => Effect.sync(() => timer?.interruptUnsafe()))

  const giveUpLate = (): void => {
    const instant = now()
    wakesAt = Number.POSITIVE_INFINITY
    for (const { beginsOutage, deadline, giveUp } of calls) {
      if (deadline <= instant) {
        giveUp()
        if (beginsOutage) begin()
      } else wakeBy(deadline)
    }
  }

  const wakeBy = (instant: number): void => {
    if (instant >= wakesAt) return
    timer?.interruptUnsafe()
    wakesAt = instant
    timer = fork(Effect.delay(Effect.sync(giveUpLate), instant - now()))
  }

  const asking =
    (beginsOutage: boolean): Ask =>
    <A, E, R>(call: Effect.Effect<A, E, R>, within: Duration.Input) =>
      Effect.contextWith((context: Context.Context<R>) =>
        Effect.callback<A, E | DatabaseAway>((resume) => {
          if (isOn) return resume(away)
          const fiber = Effect.runForkWith(context)(call)
          const settle = (answer: Effect.Effect<A, E | DatabaseAway>) => {
            calls.delete(open)
            resume(answer)
          }
          const giveUp = () => {
            settle(away)
            fiber.interruptUnsafe()
          }
          const millis = Duration.toMillis(Duration.fromInputUnsafe(within))
          const open = { deadline: now() + millis, beginsOutage, giveUp }
          calls.add(open)
          wakeBy(open.deadline)
          fiber.addObserver((exit) => {
            if (exit._tag === "Success") lastAnswer = now()
            settle(exit)
          })
          return Effect.sync(giveUp)
        })
      )

  return Outage.of({
    isOn: Effect.sync(() => isOn),
    began: Effect.sync(begin),
    answered: (elapsed) =>
      Effect.sync(() => {
        lastAnswer = now()
        if (Duration.isLessThanOrEqualTo(elapsed, quick)) end()
      }),
    ask: asking(true),
    askQuietly: asking(false),
    lastAnswer: Effect.sync(() => lastAnswer)
  })
})

/** Starts without an outage. */
export const layer: Layer.Layer<Outage> = Layer.effect(Outage, make(true))

/** For recorders without a spool: there is never an outage, and only late calls fail. */
export const never: Effect.Effect<Outage["Service"], never, Scope.Scope> = make(false)
