import { Clock, Context, Data, Duration, Effect, type Fiber, Layer, type Scope } from "effect"
import { monotonicMillisUnsafe } from "./values/monotonicMillis.ts"

/** The database did not answer this call in time, or an outage was on or began meanwhile. */
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
    /** When a call was last answered, in `monotonicMillis`; -∞ before the first answer. */
    readonly lastAnswer: Effect.Effect<number>
  }
>()("@clicks/core/Outage") {}

// Half of what a click may wait for the store. A store between the two stays away, instead of coming and going.
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

  // One timer for all calls: one for each would cost a batch of clicks more than its insert.
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

/** No outage has been noticed yet. */
export const layer: Layer.Layer<Outage> = Layer.effect(Outage, make(true))

/** For clicks that have nowhere else to go: the database is always asked, and only a late call fails. */
export const never: Effect.Effect<Outage["Service"], never, Scope.Scope> = make(false)
