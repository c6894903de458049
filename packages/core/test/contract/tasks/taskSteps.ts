import type { NewTask } from "@clicks/core/tasks/Task"
import type { TaskBatch } from "@clicks/core/tasks/TaskBatch"
import { type FailedAttempt, type TaskLease, TaskLeases } from "@clicks/core/tasks/TaskLeases"
import type { TaskQuery } from "@clicks/core/tasks/TaskQueue"
import { TaskQueue } from "@clicks/core/tasks/TaskQueue"
import type { PortError } from "@clicks/core/values/PortError"
import * as Uuid from "@clicks/core/values/Uuid"
import { Effect, Option, Schedule } from "effect"

export const newTask = (fields: Partial<NewTask> = {}): NewTask => ({
  id: Uuid.make(Date.now()),
  kind: "store-crawl",
  payload: { store_id: "s-1" },
  priority: 0,
  run_at: null,
  max_attempts: 3,
  batch_id: null,
  ...fields
})

export const newTasks = (count: number, fields: Partial<NewTask> = {}): ReadonlyArray<NewTask> =>
  Array.from({ length: count }, () => newTask(fields))

export const enqueue = (...tasks: ReadonlyArray<NewTask>) => TaskQueue.use((queue) => queue.enqueue(tasks))
export const get = (id: string) => TaskQueue.use((queue) => queue.get(id))
export const task = (id: string) => Effect.map(get(id), Option.getOrThrow)
export const list = (query: Partial<TaskQuery> = {}) =>
  TaskQueue.use((queue) => queue.list({ limit: 100, offset: 0, ...query }))
export const batch = (id: string): Effect.Effect<Option.Option<TaskBatch>, PortError, TaskQueue> =>
  TaskQueue.use((queue) => queue.batch(id))
export const retry = (id: string) => TaskQueue.use((queue) => queue.retry(id))
export const cancel = (id: string) => TaskQueue.use((queue) => queue.cancel(id))
export const purge = (before: Date) => TaskQueue.use((queue) => queue.purge(before))

export const take = (limit: number, ...except: ReadonlyArray<string>) =>
  TaskLeases.use((leases) => leases.take(limit, except))
export const renew = (...held: ReadonlyArray<TaskLease>) => TaskLeases.use((leases) => leases.renew(held))
export const succeed = (...held: ReadonlyArray<TaskLease>) => TaskLeases.use((leases) => leases.succeed(held))
export const fail = (held: TaskLease, failed: FailedAttempt) =>
  TaskLeases.use((leases) => leases.fail(held, failed))
export const handBack = (held: TaskLease, error?: string) =>
  TaskLeases.use((leases) => leases.handBack([held], error))

/** Creates a task and takes it. Only for a queue in which nothing else is ready. */
export const takeNew = Effect.fnUntraced(function* (fields: Partial<NewTask> = {}) {
  const [made] = yield* enqueue(newTask(fields))
  const [lease] = yield* take(1)
  if (made === undefined || lease === undefined || lease.id !== made.id) {
    return yield* Effect.die(`took ${lease?.id} instead of ${made?.id}`)
  }
  return lease
})

/** Repeats until the result meets the condition. */
export const until = <A, E, R>(effect: Effect.Effect<A, E, R>, wished: (a: A) => boolean) =>
  Effect.repeat(effect, { until: wished, schedule: Schedule.spaced("5 millis") })

/** Ends and deletes all tasks, so that a test begins with none. */
export const clear = Effect.gen(function* () {
  const { tasks } = yield* list({ limit: 1000 })
  yield* Effect.forEach(tasks, ({ id }) => Effect.ignore(cancel(id)), { discard: true })
  yield* purge(new Date(8.64e14))
})
