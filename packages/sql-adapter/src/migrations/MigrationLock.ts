import { Duration, Effect, type Scope } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

// Any number that nothing else in the database locks; the digits spell "clicks" on a telephone.
const lock = 254257

const pause = Duration.millis(100)

/** Runs a statement outside any transaction. */
export type Run = (statement: string) => Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>

/**
 * Lets nobody else migrate while the scope is open. The connection that holds the lock runs what cannot be in a transaction, so
 * that the lock lasts as long as the server works on that, though this process may be gone.
 */
export const hold: Effect.Effect<Run, SqlError.SqlError, Scope.Scope | SqlClient.SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient.SqlClient
    const connection = yield* sql.reserve
    const run: Run = (statement) => connection.executeUnprepared(statement, [], undefined)
    yield* Effect.addFinalizer(() =>
      Effect.ignore(Effect.andThen(run(`select pg_advisory_unlock(${lock})`), run("reset statement_timeout")))
    )
    yield* run("set statement_timeout = 0")
    // Who waits inside a statement holds a snapshot, and an index that is built concurrently waits for every snapshot.
    yield* run(`select pg_try_advisory_lock(${lock}) as held`).pipe(
      Effect.tap(([row]) => (isHeld(row) ? Effect.void : Effect.sleep(pause))),
      Effect.repeat({ until: ([row]) => isHeld(row) })
    )
    return run
  }
)

const isHeld = (row: unknown): boolean =>
  typeof row === "object" && row !== null && "held" in row && row.held === true
