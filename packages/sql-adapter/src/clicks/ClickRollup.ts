import { Duration, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { transaction } from "../transaction.ts"

// Each step writes every key that it meets, so large steps write less; 100,000 clicks take four seconds of one processor, those of
// a burst of some seconds ten, during which nobody waits for anything.
const step = 100_000

const pause = Duration.seconds(1)
const pauseWhenAway = Duration.seconds(5)

// At the highest rates, and while it makes up for millions, counting would take a whole processor from recording; so it rests four times
// as long as it worked. With twice, two cores recorded 8,000 to 12,000 clicks a second, 13,000 without counting. Totals are exact meanwhile, the clicks that are not counted yet are looked at.
const rest = 4

/**
 * Counts the next clicks that are stored and not counted yet, up to 100,000 or those of one instant, and returns their number. 0: none
 * were left, or another process is counting.
 */
export const rollUp: Effect.Effect<number, SqlError.SqlError, SqlClient.SqlClient> = SqlClient.SqlClient.use(
  (sql) =>
    transaction(
      sql,
      // A step that a busy machine does not finish in time would be begun again for ever.
      sql`set local statement_timeout = 0`.pipe(
        Effect.andThen(sql<{ readonly rows: number }>`select roll_up_clicks(${step}::integer) as rows`),
        Effect.map(([row]) => row?.rows ?? 0)
      )
    )
).pipe(Effect.withSpan("ClickRollup.rollUp"))

const turn = Effect.timed(rollUp).pipe(
  Effect.map(([worked]) => Duration.max(pause, Duration.times(worked, rest))),
  Effect.tapError((error) => Effect.logDebug("clicks could not be counted", error)),
  Effect.orElseSucceed(() => pauseWhenAway),
  Effect.flatMap(Effect.sleep)
)

/**
 * Keeps the counts up with the clicks for as long as it is in use. Any number of processes may; one at a time does the work.
 * Where nobody does, totals stay exact and take longer.
 */
export const layer: Layer.Layer<never, never, SqlClient.SqlClient> = Layer.effectDiscard(
  Effect.forkScoped(Effect.forever(turn))
)
