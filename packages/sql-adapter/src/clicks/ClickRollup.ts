import { Clock, Duration, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { transaction } from "../transaction.ts"

// Each step writes every key that it meets, so large steps write less; 100,000 clicks take four seconds of one processor, those of
// a burst of some seconds ten, during which nobody waits for anything.
const step = 100_000

const pause = Duration.seconds(1)
const pauseWhenAway = Duration.seconds(5)

// At the highest rates counting would take a whole processor from recording; so it rests four times as long as it worked. With
// twice, two cores recorded 8,000 to 12,000 clicks a second, 13,000 without counting. Totals are exact meanwhile, the clicks that
// are not counted yet are looked at. Where little is recorded there is nobody to make room for.
const restWhileBusy = 4
const restElse = 0.5

// Transactions a second. A service at the highest rate makes hundreds, an import dozens.
const busy = 10

interface Step {
  readonly rows: number
  /** The number of the next transaction. */
  readonly next: number
}

const nothing: Step = { rows: 0, next: 0 }

const stepOnce = SqlClient.SqlClient.use((sql) =>
  transaction(
    sql,
    // A step that a busy machine does not finish in time would be begun again for ever.
    sql`set local statement_timeout = 0`.pipe(
      Effect.andThen(sql<Step>`
        select roll_up_clicks(${step}::integer) as rows,
          pg_snapshot_xmax(pg_current_snapshot())::text::double precision as next`),
      Effect.map(([row]) => row ?? nothing)
    )
  )
).pipe(Effect.withSpan("ClickRollup.rollUp"))

/**
 * Counts the next clicks that are stored and not counted yet, up to 100,000 or those of one instant, and returns their number. 0: none
 * were left, or another process is counting.
 */
export const rollUp: Effect.Effect<number, SqlError.SqlError, SqlClient.SqlClient> = Effect.map(
  stepOnce,
  ({ rows }) => rows
)

const turns = Effect.gen(function* () {
  let before = { next: Number.POSITIVE_INFINITY, millis: 0 }
  while (true) {
    const millis = yield* Clock.currentTimeMillis
    const [worked, { next }] = yield* Effect.timed(stepOnce)
    const isBusy = next - before.next > (busy * (millis - before.millis)) / 1000
    before = { next, millis }
    yield* Effect.sleep(Duration.max(pause, Duration.times(worked, isBusy ? restWhileBusy : restElse)))
  }
}).pipe(
  Effect.tapError((error) => Effect.logDebug("clicks could not be counted", error)),
  Effect.catch(() => Effect.sleep(pauseWhenAway)),
  Effect.forever
)

/**
 * Keeps the counts up with the clicks for as long as it is in use. Any number of processes may; one at a time does the work.
 * Where nobody does, totals stay exact and take longer.
 */
export const layer: Layer.Layer<never, never, SqlClient.SqlClient> = Layer.effectDiscard(
  Effect.forkScoped(turns)
)
