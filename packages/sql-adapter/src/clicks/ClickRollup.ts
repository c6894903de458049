import { Duration, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { transaction } from "../transaction.ts"

// Each step writes every key that occurs in it, so larger steps write less: ten steps of 10,000 clicks take half as long again as one of
// 100,000.
const step = 50_000

const pause = Duration.seconds(1)
const pauseWhenAway = Duration.seconds(5)

// A step works in slices of about 3 ms and sleeps after each, so that inserts get the processor. A step takes about a second. At 10,000
// clicks/s, it works a fifth of the time, and about 30,000 clicks wait to be counted. Totals count those from the rows.
const spread = 1000
const longestRest = 4
const shortestRest = 0.5

/** How long the next step sleeps after each slice, as a multiple of the slice, if it has as much work as the previous one. */
const restFor = (worked: number): number => Math.min(longestRest, Math.max(shortestRest, spread / worked - 1))

/**
 * Counts the next stored clicks that are not counted yet, up to 50,000 or all of one instant. Returns their number, which is 0 if none were
 * left or another process is counting. Sleeps `rest` times as long as it works.
 */
export const rollUp = (rest = 0): Effect.Effect<number, SqlError.SqlError, SqlClient.SqlClient> =>
  SqlClient.SqlClient.use((sql) =>
    transaction(
      sql,
      // On a busy machine, a step could exceed any timeout, and so would the next one.
      sql`set local statement_timeout = 0`.pipe(
        Effect.andThen(sql<{ readonly rows: number }>`
          select roll_up_clicks(${step}::integer, ${rest}::double precision) as rows`),
        Effect.map(([row]) => row?.rows ?? 0)
      )
    )
  ).pipe(Effect.withSpan("ClickRollup.rollUp"))

const steps = Effect.gen(function* () {
  let rest = longestRest
  while (true) {
    const [elapsed] = yield* Effect.timed(rollUp(rest))
    rest = restFor(Duration.toMillis(elapsed) / (1 + rest))
    yield* Effect.sleep(pause)
  }
}).pipe(
  Effect.tapError((error) => Effect.logDebug("Counting clicks failed", error)),
  Effect.catch(() => Effect.sleep(pauseWhenAway)),
  Effect.forever
)

/**
 * Keeps the counts up to date as long as the layer lives. Any number of processes may use it; only one counts at a time. Without it, totals
 * stay exact but take longer.
 */
export const layer = Layer.effectDiscard(Effect.forkScoped(steps))
