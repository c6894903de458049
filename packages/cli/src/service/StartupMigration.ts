import { ClickStore, ClickStoreError } from "@clicks/core/clicks/ClickStore"
import type { MigrationError } from "@clicks/sql-adapter/migrations/migrate"
import { isAway } from "@clicks/sql-adapter/sqlErrors"
import { Cause, Context, Deferred, type Duration, Effect, Fiber, Layer, Schedule } from "effect"
import { SqlError } from "effect/sql"
import type { CommandFailed } from "../CommandError.ts"
import * as Database from "../Database.ts"
import { describeFailure } from "../process/describeFailure.ts"

/** Migrates the schema when a service starts. While the database is unavailable, the service runs and the migration is retried. */
export class StartupMigration extends Context.Service<
  StartupMigration,
  {
    readonly isComplete: Effect.Effect<boolean>
    /** Waits until the schema is up to date. */
    readonly awaitComplete: Effect.Effect<void>
  }
>()("@clicks/cli/service/StartupMigration") {}

type Failure = CommandFailed | MigrationError

const isUnavailable = ({ cause }: Failure): boolean => SqlError.isSqlError(cause) && isAway(cause)

const describe = (error: Failure) => describeFailure(Cause.fail(error))

// The longest that startup waits for a database that does not respond, or for a long migration.
const timeout: Duration.Input = "5 seconds"

// The interval at which the drain of the spool probes the database.
const retryInterval: Duration.Input = "500 millis"

/** Retries until the migration succeeds. Logs failures that an operator has to fix, but not the same one twice in a row. */
const retryLogged = <R>(migration: Effect.Effect<unknown, Failure, R>) => {
  let lastLogged: string | undefined
  const log = (error: Failure) => {
    const message = describe(error)
    const isRepeated = message === lastLogged
    lastLogged = message
    return isUnavailable(error) || isRepeated ? Effect.void : Effect.logError(message)
  }
  return migration.pipe(Effect.tapError(log), Effect.retry(Schedule.spaced(retryInterval)))
}

const make = Effect.gen(function* () {
  const done = yield* Deferred.make<void>()
  const migration = Effect.andThen(Database.migrateIfNeeded, Deferred.succeed(done, undefined))
  const first = yield* Effect.forkScoped(migration)

  const continueInBackground = Effect.fnUntraced(function* (reason: string) {
    yield* Effect.logWarning(`${reason}. Spooling clicks until the database is ready`)
    yield* Fiber.join(first).pipe(
      Effect.catch(() => retryLogged(migration)),
      Effect.andThen(Effect.logInfo("The database is ready")),
      Effect.forkScoped
    )
  })

  yield* Fiber.join(first).pipe(
    Effect.catchIf(isUnavailable, (error) => continueInBackground(describe(error))),
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () => continueInBackground(`The database is not ready after ${timeout}`)
    })
  )
  return StartupMigration.of({ isComplete: Deferred.isDone(done), awaitComplete: Deferred.await(done) })
})

/** Connections to the database. Fails if retrying cannot help: a wrong password, the schema of a newer version. */
export const layer = Layer.effect(StartupMigration, make).pipe(Layer.provideMerge(Database.connections))

/**
 * Starts a layer in the background after the migration. Counting clicks earlier would scan the whole table at each step, because
 * the index is still being built.
 */
export const afterMigration = <R>(layer: Layer.Layer<never, never, R>) =>
  Layer.effectDiscard(
    StartupMigration.use(({ awaitComplete }) =>
      Effect.forkScoped(Effect.andThen(awaitComplete, Layer.launch(layer)))
    )
  )

const notMigrated = new ClickStoreError({
  operation: "insert",
  reason: "Unavailable",
  cause: new Error("The schema has not been migrated yet")
})

/** The store. Until the migration is complete, inserts fail as unavailable, so that clicks are spooled. */
export const clickStore = Layer.effect(
  ClickStore,
  Effect.gen(function* () {
    const store = yield* ClickStore
    const { isComplete } = yield* StartupMigration
    return ClickStore.of({
      ...store,
      insert: (batch) =>
        Effect.flatMap(isComplete, (is) => (is ? store.insert(batch) : Effect.fail(notMigrated)))
    })
  })
)
