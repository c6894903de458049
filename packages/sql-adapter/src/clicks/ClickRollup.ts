import { Clock, Duration, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { transaction } from "../transaction.ts"

// Each step writes every key that it meets, so large steps write less: 100,000 clicks take a second of one processor, during which
// nobody waits for anything; ten times 10,000 take half as much again.
const step = 100_000

const pause = Duration.seconds(1)
const pauseWhenAway = Duration.seconds(5)

// While much is recorded, counting rests four times as long as it worked: it takes a tenth of two processors at most. That suffices for
// 10,000 clicks a second, of which 20,000 to 50,000 then wait; totals are exact meanwhile, those clicks are looked at. A step of more shows
// that it falls behind. Where little is recorded there is nobody to make room for.
const restWhileBusy = 4
const restWhenBehind = 2
const restElse = 0.5
const behind = step / 2

const restAfter = (rows: number): number => (rows > behind ? restWhenBehind : restWhileBusy)

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
    const [worked, { next, rows }] = yield* Effect.timed(stepOnce)
    const isBusy = next - before.next > (busy * (millis - before.millis)) / 1000
    before = { next, millis }
    yield* Effect.sleep(Duration.max(pause, Duration.times(worked, isBusy ? restAfter(rows) : restElse)))
  }
}).pipe(
  Effect.tapError((error) => Effect.logDebug("Counting clicks failed", error)),
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
