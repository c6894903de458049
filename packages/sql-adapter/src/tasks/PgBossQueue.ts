import { Context, Effect, Layer, Schema, Scope } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { Db, PgBoss } from "pg-boss"
import { transaction } from "../transaction.ts"
import { queueName, schema } from "./queueName.ts"

/** An operation of pg-boss was refused: the database is away or was not migrated. */
export class PgBossError extends Schema.TaggedError<PgBossError>()("PgBossError", {
  cause: Schema.Defect()
}) {}

/** What an operation of pg-boss gets: the queue's name, and the connection of whoever runs it. */
export interface PgBossCall {
  readonly boss: PgBoss
  readonly queue: typeof queueName
  /** To be given with every call, so that it takes part in the caller's transaction. */
  readonly on: { readonly db: Db }
}

/**
 * The queue as pg-boss keeps it. pg-boss speaks SQL and nothing else here: no loops, no clock, no connections of its own.
 */
export class PgBossQueue extends Context.Service<
  PgBossQueue,
  {
    /** Runs an operation: in the caller's transaction if there is one. */
    readonly run: <A>(operation: (call: PgBossCall) => Promise<A>) => Effect.Effect<A, PgBossError>
    /** Runs operations in a transaction of their own: all are committed, or none when it fails. */
    readonly transaction: <A, E, R>(
      effect: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | PgBossError | SqlError.SqlError, R>
  }
>()("@clicks/sql-adapter/tasks/PgBossQueue") {}

// The driver refuses objects, whose type it would have to guess; here they are always JSON.
const parameter = (value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date)
    ? JSON.stringify(value)
    : value

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const databaseFor = (context: Context.Context<never>, signal?: AbortSignal): Db => ({
    executeSql: async (text, values = []) => {
      const statement = sql.unsafe<Record<string, unknown>>(text, values.map(parameter))
      const rows = await Effect.runPromiseWith(context)(statement, signal && { signal })
      return { rows: [...rows] }
    }
  })

  const attempt = <A>(run: (signal: AbortSignal) => Promise<A>) =>
    Effect.tryPromise({ try: run, catch: (cause) => new PgBossError({ cause }) })

  const context = yield* Effect.context<never>()
  const open = Effect.promise(async () => {
    const { PgBoss } = await import("pg-boss")
    const boss = new PgBoss({
      db: databaseFor(context),
      schema,
      migrate: false,
      supervise: false,
      schedule: false,
      useListenNotify: false
    })
    // It reads the queue's settings again each minute; when it cannot, it keeps what it has.
    boss.on("error", () => {})
    return boss
  })
  // Who only records or lists never gets to it, and pg-boss takes 50 ms and 24 MB to load.
  const opened = yield* Effect.acquireRelease(open, (boss) =>
    Effect.promise(() => boss.stop({ graceful: false }))
  ).pipe(Scope.provide(yield* Effect.scope), Effect.cached)

  // Starting reads the settings once. It is done with the first operation, so that a database that is away then is no reason
  // not to begin; and before a transaction, not inside, where it would wait for a second connection while holding the first.
  let isStarted = false
  const started = Effect.tap(opened, (boss) =>
    isStarted
      ? Effect.void
      : Effect.map(
          attempt(() => boss.start()),
          () => {
            isStarted = true
          }
        )
  )

  const run = Effect.fnUntraced(function* <A>(operation: (call: PgBossCall) => Promise<A>) {
    const boss = yield* started
    const context = yield* Effect.context<never>()
    return yield* attempt((signal) =>
      operation({ boss, queue: queueName, on: { db: databaseFor(context, signal) } })
    )
  })

  return PgBossQueue.of({
    run,
    transaction: (effect) => Effect.andThen(started, transaction(sql, effect))
  })
})

/** pg-boss on the connections of the service. */
export const layer: Layer.Layer<PgBossQueue, never, SqlClient.SqlClient> = Layer.effect(PgBossQueue, make)
