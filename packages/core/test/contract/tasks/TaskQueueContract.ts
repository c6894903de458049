import { TaskLeases, type TaskSignal } from "@clicks/core/tasks/TaskLeases"
import type { TaskQueue } from "@clicks/core/tasks/TaskQueue"
import * as Uuid from "@clicks/core/values/Uuid"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, type Layer, Option, Stream } from "effect"
import {
  batch,
  cancel,
  clear,
  enqueue,
  fail,
  get,
  list,
  newTask,
  newTasks,
  purge,
  retry,
  succeed,
  take,
  takeNew,
  task,
  until
} from "./taskSteps.ts"

const ids = (tasks: Iterable<{ readonly id: string }>) => Array.from(tasks, ({ id }) => id)
const inAnHour = () => new Date(Date.now() + 3_600_000)
const unknown = ["", "x", "019aa0d2-5c00-7000-8000-5f2b0c9d1e3a", "\0"]

// A listener may connect a little late, so the signal is repeated until it has been received three times: the first may be the one that
// every listener receives when it connects.
const isHeard = Effect.fnUntraced(function* <E>(
  wished: (signal: TaskSignal) => boolean,
  say: Effect.Effect<unknown, E, TaskQueue>
) {
  const leases = yield* TaskLeases
  const heard = yield* leases.signals.pipe(
    Stream.filter(wished),
    Stream.take(3),
    Stream.runCollect,
    Effect.forkChild
  )
  yield* until(say, () => heard.pollUnsafe() !== undefined)
  return (yield* Fiber.join(heard)).length === 3
})

/** The contract of every `TaskQueue`. Each test begins without tasks. */
export const suite = <E>(name: string, tasks: Layer.Layer<TaskQueue | TaskLeases, E>): void => {
  layer(tasks, { excludeTestServices: true, timeout: "60 seconds" })(`TaskQueue (${name})`, (it) => {
    const test = (title: string, body: Effect.Effect<void, unknown, TaskQueue | TaskLeases>) =>
      it.effect(title, () => Effect.andThen(clear, body))

    test(
      "a new task is ready, has all its fields, and is found by its id",
      Effect.gen(function* () {
        const before = Date.now()
        const made = newTask({ kind: "report", payload: { a: [1, null, "ü"] }, priority: 7, max_attempts: 2 })
        const [queued] = yield* enqueue(made)
        assert.deepInclude(queued, {
          ...made,
          run_at: queued?.created_at ?? new Date(0),
          state: "ready",
          attempts: 0,
          error: null,
          started_at: null,
          finished_at: null
        })
        const created = queued?.created_at.getTime() ?? 0
        assert.isAtLeast(created, before)
        assert.isAtMost(created, Date.now())
        assert.deepStrictEqual(yield* task(made.id), queued)
      })
    )

    test(
      "finds, retries and cancels nothing under unknown ids",
      Effect.gen(function* () {
        yield* enqueue(newTask())
        for (const id of unknown) {
          assert.deepStrictEqual(yield* get(id), Option.none())
          assert.deepStrictEqual(yield* batch(id), Option.none())
          assert.deepStrictEqual(yield* retry(id), Option.none())
          assert.deepStrictEqual(yield* cancel(id), Option.none())
        }
      })
    )

    test(
      "a task whose time has not come is scheduled and cannot be taken",
      Effect.gen(function* () {
        const later = newTask({ run_at: inAnHour() })
        const due = newTask({ run_at: new Date(Date.now() - 3_600_000) })
        const queued = yield* enqueue(later, due)
        assert.deepStrictEqual(
          queued.map(({ run_at, state }) => [state, run_at]),
          [
            ["scheduled", later.run_at],
            ["ready", due.run_at]
          ]
        )
        assert.deepStrictEqual(ids(yield* take(5)), [due.id])
      })
    )

    test(
      "a task becomes ready when its time comes",
      Effect.gen(function* () {
        const soon = newTask({ run_at: new Date(Date.now() + 500) })
        yield* enqueue(soon)
        assert.deepStrictEqual(ids(yield* until(take(1), (taken) => taken.length > 0)), [soon.id])
        assert.isAtLeast(Date.now(), soon.run_at?.getTime() ?? 0)
      })
    )

    test(
      "keeps the task of an existing id, and loses none of the other new tasks",
      Effect.gen(function* () {
        const first = newTask()
        yield* enqueue(first)
        const other = newTask()
        const queued = yield* enqueue({ ...first, kind: "other", priority: 9 }, other)
        assert.deepStrictEqual(ids(queued), [first.id, other.id])
        assert.deepInclude(yield* task(first.id), { kind: first.kind, priority: 0 })
        assert.strictEqual((yield* list()).total, 2)
      })
    )

    test(
      "accepts an empty list of tasks",
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* enqueue(), [])
        assert.deepStrictEqual(yield* list(), { tasks: [], total: 0, limit: 100, offset: 0 })
      })
    )

    test(
      "lists the newest first, by state and kind, in pages, with the total",
      Effect.gen(function* () {
        const crawls = newTasks(3)
        yield* enqueue(...crawls)
        const others = newTasks(2, { kind: "report", run_at: inAnHour() })
        yield* enqueue(...others)
        const [lease] = yield* take(1)
        const newestFirst = [...ids(others).toReversed(), ...ids(crawls).toReversed()]

        assert.deepStrictEqual(ids((yield* list()).tasks), newestFirst)
        const page = yield* list({ limit: 2, offset: 1 })
        assert.deepStrictEqual(ids(page.tasks), newestFirst.slice(1, 3))
        assert.deepInclude(page, { total: 5, limit: 2, offset: 1 })
        assert.deepStrictEqual(ids((yield* list({ kind: "report" })).tasks), ids(others).toReversed())
        assert.deepStrictEqual(ids((yield* list({ state: "running" })).tasks), lease ? [lease.id] : [])
        assert.strictEqual((yield* list({ state: "scheduled" })).total, 2)
        assert.strictEqual((yield* list({ state: "ready" })).total, 2)
        assert.strictEqual((yield* list({ state: "ready", kind: "report" })).total, 0)
        assert.strictEqual((yield* list({ kind: "no such kind\0" })).total, 0)
        for (const state of ["succeeded", "failed", "cancelled"] as const) {
          assert.strictEqual((yield* list({ state })).total, 0)
        }
      })
    )

    test(
      "a batch has its tasks in order, their counts by state, and its progress",
      Effect.gen(function* () {
        const batch_id = Uuid.make(Date.now())
        const members = newTasks(8, { batch_id })
        const later = newTasks(2, { batch_id, run_at: inAnHour() })
        yield* enqueue(...members, ...later)
        yield* enqueue(...newTasks(2, { batch_id: Uuid.make(Date.now()), run_at: inAnHour() }))
        const [a, b, c] = yield* take(3)
        if (a === undefined || b === undefined || c === undefined) return assert.fail("none to take")
        yield* succeed(a)
        yield* fail(b, { error: "no", retryIn: null })
        yield* cancel(members[7]?.id ?? "")

        const found = Option.getOrThrow(yield* batch(batch_id))
        assert.deepStrictEqual(ids(found.tasks), ids([...members, ...later]))
        const { batch_id: id, counts, progress, total } = found
        assert.deepStrictEqual(
          { id, counts, progress, total },
          {
            id: batch_id,
            counts: { scheduled: 2, ready: 4, running: 1, succeeded: 1, failed: 1, cancelled: 1 },
            progress: 0.3,
            total: 10
          }
        )
      })
    )

    test(
      "a failed task that is retried is ready, keeps its error, and has another attempt",
      Effect.gen(function* () {
        const lease = yield* takeNew({ max_attempts: 1 })
        yield* fail(lease, { error: "the shop is closed", retryIn: null })
        const failed = yield* task(lease.id)
        assert.deepInclude(failed, { state: "failed", error: "the shop is closed", attempts: 1 })
        assert.isNotNull(failed.finished_at)

        const retried = Option.getOrThrow(yield* retry(lease.id))
        assert.deepInclude(retried, {
          state: "ready",
          error: "the shop is closed",
          attempts: 1,
          max_attempts: 2,
          finished_at: null
        })
        const [again] = yield* take(1)
        assert.deepInclude(again, { id: lease.id, attempt: 2, max_attempts: 2 })
        if (again !== undefined) yield* succeed(again)
        assert.deepInclude(yield* task(lease.id), { state: "succeeded", error: null, attempts: 2 })
      })
    )

    test(
      "a retried task that failed early keeps its remaining attempts",
      Effect.gen(function* () {
        const lease = yield* takeNew({ max_attempts: 5 })
        yield* fail(lease, { error: "no", retryIn: null })
        assert.deepInclude(Option.getOrThrow(yield* retry(lease.id)), { attempts: 1, max_attempts: 5 })
      })
    )

    test(
      "only a failed task can be retried",
      Effect.gen(function* () {
        const [scheduled] = yield* enqueue(newTask({ run_at: inAnHour() }))
        const running = yield* takeNew()
        const done = yield* takeNew()
        yield* succeed(done)
        const [ready] = yield* enqueue(newTask())
        const [called_off] = yield* enqueue(newTask())
        yield* cancel(called_off?.id ?? "")
        const others = [
          ["scheduled", scheduled],
          ["running", running],
          ["succeeded", done],
          ["ready", ready],
          ["cancelled", called_off]
        ] as const
        for (const [state, about] of others) {
          const error = yield* Effect.flip(retry(about?.id ?? ""))
          assert.deepInclude(error, { _tag: "TaskStateConflict", state })
          assert.include(error.message, state)
          assert.strictEqual((yield* task(about?.id ?? "")).state, state)
        }
      })
    )

    test(
      "a waiting task can be cancelled, is not taken any more, and stays cancelled",
      Effect.gen(function* () {
        const [ready, scheduled] = yield* enqueue(newTask(), newTask({ run_at: inAnHour() }))
        for (const waiting of [ready, scheduled]) {
          const cancelled = Option.getOrThrow(yield* cancel(waiting?.id ?? ""))
          assert.strictEqual(cancelled.state, "cancelled")
          assert.isNotNull(cancelled.finished_at)
          assert.deepStrictEqual(yield* cancel(cancelled.id), Option.some(cancelled))
        }
        assert.deepStrictEqual(yield* take(5), [])
      })
    )

    test(
      "a task that has succeeded or failed cannot be cancelled",
      Effect.gen(function* () {
        const done = yield* takeNew()
        yield* succeed(done)
        const failed = yield* takeNew()
        yield* fail(failed, { error: "no", retryIn: null })
        const ended = [
          ["succeeded", done],
          ["failed", failed]
        ] as const
        for (const [state, { id }] of ended) {
          assert.deepInclude(yield* Effect.flip(cancel(id)), { _tag: "TaskStateConflict", state })
          assert.strictEqual((yield* task(id)).state, state)
        }
      })
    )

    test(
      "deletes tasks that finished long ago, batches only as a whole",
      Effect.gen(function* () {
        const batch_id = Uuid.make(Date.now())
        yield* enqueue(...newTasks(2, { batch_id }), newTask({ batch_id, run_at: inAnHour() }))
        yield* succeed(...(yield* take(2)))
        const alone = yield* takeNew()
        yield* succeed(alone)
        const [waiting] = yield* enqueue(newTask())
        const finished = (yield* task(alone.id)).finished_at ?? new Date(0)

        assert.strictEqual(yield* purge(finished), 0)
        const after = new Date(finished.getTime() + 1)
        assert.strictEqual(yield* purge(after), 1)
        assert.deepStrictEqual(yield* get(alone.id), Option.none())
        assert.strictEqual(Option.getOrThrow(yield* batch(batch_id)).total, 3)
        assert.strictEqual((yield* task(waiting?.id ?? "")).state, "ready")

        const members = Option.getOrThrow(yield* batch(batch_id)).tasks
        yield* cancel(members[2]?.id ?? "")
        assert.strictEqual(yield* purge(new Date(Date.now() + 60_000)), 3)
        assert.deepStrictEqual(yield* batch(batch_id), Option.none())
      })
    )

    test(
      "signals to workers that tasks may be ready, and which were cancelled",
      Effect.gen(function* () {
        const made = Effect.map(
          Effect.suspend(() => enqueue(newTask())),
          ([queued]) => queued?.id ?? ""
        )
        assert.isTrue(yield* isHeard((signal) => signal._tag === "Ready", made))
        const called_off = new Set<string>()
        const cancelled = Effect.flatMap(made, (id) => {
          called_off.add(id)
          return cancel(id)
        })
        assert.isTrue(
          yield* isHeard((signal) => signal._tag === "Cancelled" && called_off.has(signal.id), cancelled)
        )
      })
    )
  })
}
