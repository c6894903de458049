import type { FailedAttempt, TaskLease } from "@clicks/core/tasks/TaskLeases"
import { TaskLeases } from "@clicks/core/tasks/TaskLeases"
import { TaskQueueError } from "@clicks/core/tasks/TaskQueue"
import { PgClient } from "@effect/sql-pg"
import { Duration, Effect, Layer, Stream } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { affected, settled } from "./commandResponse.ts"
import { handBackLease } from "./handBackLease.ts"
import * as PgBossQueue from "./PgBossQueue.ts"
import { recoverTasks } from "./recoverTasks.ts"
import { attemptOf, type JobData, type JobOutput } from "./taskRows.ts"
import { notifyReady, taskSignals } from "./taskSignals.ts"

const toTaskQueueError =
  (operation: string) =>
  (cause: SqlError.SqlError | PgBossQueue.PgBossError): TaskQueueError =>
    new TaskQueueError({ operation, cause })

const none: ReadonlySet<string> = new Set()

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const pg = yield* PgClient.PgClient
  const boss = yield* PgBossQueue.PgBossQueue
  const take = Effect.fnUntraced(
    function* (limit: number, except: ReadonlyArray<string>) {
      const jobs = yield* boss.run((call) =>
        call.boss.fetch<JobData>(call.queue, { batchSize: limit, ignoreGroups: [...except], ...call.on })
      )
      return jobs.map(
        ({ data, groupId, id, retryCount }): TaskLease => ({
          id,
          kind: groupId ?? "",
          payload: data.payload,
          attempt: retryCount + 1,
          max_attempts: data.max_attempts
        })
      )
    },
    Effect.mapError(toTaskQueueError("take"))
  )

  // pg-boss answers with the jobs that were touched: those whose attempt is still this one.
  const settle = (operation: "complete" | "touch", leases: ReadonlyArray<TaskLease>) =>
    leases.length === 0
      ? Effect.succeed(none)
      : boss
          .run(({ boss: queue, on, queue: name }) =>
            operation === "touch"
              ? queue.touch(name, leases.map(attemptOf), on)
              : queue.complete(name, leases.map(attemptOf), null, on)
          )
          .pipe(Effect.map(settled))

  const fail = Effect.fnUntraced(
    function* (lease: TaskLease, { error, retryIn }: FailedAttempt) {
      const output: JobOutput = { error }
      const failed = yield* boss.run((call) => call.boss.fail(call.queue, attemptOf(lease), output, call.on))
      if (affected(failed) === 0 || retryIn === null) return affected(failed) > 0
      const { id } = lease
      yield* boss.run((call) => call.boss.retry(call.queue, id, call.on))
      const startAfter = Duration.toSeconds(retryIn)
      yield* boss.run((call) => call.boss.update(call.queue, undefined, { id, startAfter, ...call.on }))
      return true
    },
    boss.transaction,
    Effect.mapError(toTaskQueueError("fail"))
  )

  const handBack = Effect.fnUntraced(
    function* (leases: ReadonlyArray<TaskLease>, error?: string) {
      yield* Effect.forEach(leases, handBackLease(sql, boss, error), { discard: true })
      yield* notifyReady(sql)
    },
    boss.transaction,
    Effect.mapError(toTaskQueueError("handBack"))
  )

  const recover = Effect.fn("TaskLeases.recover")(
    recoverTasks(sql, boss),
    boss.transaction,
    Effect.mapError(toTaskQueueError("recover"))
  )

  return TaskLeases.of({
    take,
    renew: (leases) => Effect.mapError(settle("touch", leases), toTaskQueueError("renew")),
    succeed: (leases) => Effect.mapError(settle("complete", leases), toTaskQueueError("succeed")),
    fail,
    handBack,
    recover,
    signals: Stream.provideService(taskSignals, PgClient.PgClient, pg)
  })
})

/** Leases of the tasks in pg-boss. */
export const layer: Layer.Layer<TaskLeases, never, PgClient.PgClient | SqlClient.SqlClient> = Layer.effect(
  TaskLeases,
  make
).pipe(Layer.provide(PgBossQueue.layer))
