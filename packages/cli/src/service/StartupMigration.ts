import { ClickStore, ClickStoreError } from "@clicks/core/clicks/ClickStore"
import type { MigrationError } from "@clicks/sql-adapter/migrations/migrate"
import { isAway } from "@clicks/sql-adapter/sqlErrors"
import { Cause, Context, Deferred, type Duration, Effect, Fiber, Layer, Schedule } from "effect"
import { SqlError } from "effect/sql"
import type { CommandFailed } from "../CommandError.ts"
import * as Database from "../Database.ts"
import { describeFailure } from "../process/describeFailure.ts"

/** The migration at the start of a service. The service also starts while the database is unavailable, and migrates once it is available. */
export class StartupMigration extends Context.Service<
  StartupMigration,
  {
    readonly isComplete: Effect.Effect<boolean>
    /** Waits until the schema is up to date. */
    readonly awaitComplete: Effect.Effect<void>
  }
>()("@clicks/cli/service/StartupMigration") {}

type Failure = CommandFailed | MigrationError

const isDatabaseAway = ({ cause }: Failure): boolean => SqlError.isSqlError(cause) && isAway(cause)

const sentenceOf = (error: Failure): string => describeFailure(Cause.fail(error))

// A start does not wait longer: for a database that does not answer, or for a change of the schema that takes its time.
const patience: Duration.Input = "5 seconds"

// As often as the drain of the spool asks.
const pause: Duration.Input = "500 millis"

/** Tries until it is done. What a person has to put right is told, once. */
const tryOn = <R>(update: Effect.Effect<unknown, Failure, R>) => {
  let told: string | undefined
  const tell = (error: Failure) => {
    const sentence = sentenceOf(error)
    const isNew = !isDatabaseAway(error) && sentence !== told
    told = sentence
    return isNew ? Effect.logError(sentence) : Effect.void
  }
  return update.pipe(Effect.tapError(tell), Effect.retry(Schedule.spaced(pause)))
}

const make = Effect.gen(function* () {
  const done = yield* Deferred.make<void>()
  const update = Effect.andThen(Database.bringUpToDate, Deferred.succeed(done, undefined))
  const first = yield* Effect.forkScoped(update)

  const goOnLater = Effect.fnUntraced(function* (why: string) {
    yield* Effect.logWarning(`${why}. Spooling clicks until the database is ready`)
    yield* Fiber.join(first).pipe(
      Effect.catch(() => tryOn(update)),
      Effect.andThen(Effect.logInfo("The database is ready")),
      Effect.forkScoped
    )
  })

  yield* Fiber.join(first).pipe(
    Effect.catchIf(isDatabaseAway, (error) => goOnLater(sentenceOf(error))),
    Effect.timeoutOrElse({
      duration: patience,
      orElse: () => goOnLater(`The database is not ready after ${patience}`)
    })
  )
  return StartupMigration.of({ isComplete: Deferred.isDone(done), awaitComplete: Deferred.await(done) })
})

/** Connections to the database. Fails where waiting would not help: a wrong password, the schema of a newer version. */
export const layer = Layer.effect(StartupMigration, make).pipe(Layer.provideMerge(Database.connections))

/**
 * What works on the clicks by itself, from when the schema is up to date. Counting them before would read the whole table for each step
 * while its index is built, and hold that up.
 */
export const afterMigration = <R>(layer: Layer.Layer<never, never, R>) =>
  Layer.effectDiscard(
    StartupMigration.use(({ awaitComplete }) =>
      Effect.forkScoped(Effect.andThen(awaitComplete, Layer.launch(layer)))
    )
  )

const notYet = new ClickStoreError({
  operation: "insert",
  reason: "Unavailable",
  cause: new Error("The schema has not been migrated yet")
})

/** The store, which takes no click before the schema is up to date. */
export const clickStore = Layer.effect(
  ClickStore,
  Effect.gen(function* () {
    const store = yield* ClickStore
    const { isComplete } = yield* StartupMigration
    return ClickStore.of({
      ...store,
      insert: (batch) => Effect.flatMap(isComplete, (is) => (is ? store.insert(batch) : Effect.fail(notYet)))
    })
  })
)
