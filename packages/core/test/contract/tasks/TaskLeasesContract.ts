import { TaskLeases, workerLost } from "@clicks/core/tasks/TaskLeases"
import type { TaskQueue } from "@clicks/core/tasks/TaskQueue"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, type Layer } from "effect"
import {
  cancel,
  clear,
  enqueue,
  fail,
  handBack,
  newTask,
  newTasks,
  renew,
  succeed,
  take,
  takeNew,
  task,
  until
} from "./taskSteps.ts"

const ids = (leases: Iterable<{ readonly id: string }>) => Array.from(leases, ({ id }) => id)
const none = new Set<string>()

// Time passes on the queue's own clock, so a lease that is not renewed becomes stale after a millisecond or two.
const recoverAll = TaskLeases.use((leases) => leases.recover(Duration.millis(1)))
const recoverOne = until(recoverAll, (freed) => freed.length > 0)

/** The contract of every `TaskLeases`. Each test begins without tasks. */
export const suite = <E>(name: string, tasks: Layer.Layer<TaskQueue | TaskLeases, E>): void => {
  layer(tasks, { excludeTestServices: true, timeout: "60 seconds" })(`TaskLeases (${name})`, (it) => {
    const test = (title: string, body: Effect.Effect<void, unknown, TaskQueue | TaskLeases>) =>
      it.effect(title, () => Effect.andThen(clear, body))

    test(
      "a taken task is running, and its lease has its kind and payload",
      Effect.gen(function* () {
        const lease = yield* takeNew({ kind: "report", payload: { n: 1 }, max_attempts: 4 })
        assert.deepInclude(lease, { kind: "report", payload: { n: 1 }, attempt: 1, max_attempts: 4 })
        const running = yield* task(lease.id)
        assert.deepInclude(running, { state: "running", attempts: 1, finished_at: null })
        assert.isNotNull(running.started_at)
      })
    )

    test(
      "takes the highest priority first, then the oldest, and no more than the limit",
      Effect.gen(function* () {
        const [low] = yield* enqueue(newTask({ priority: -5 }))
        const normal = yield* enqueue(...newTasks(2))
        yield* enqueue(newTask({ priority: 0, run_at: new Date(0) }))
        const [high] = yield* enqueue(newTask({ priority: 5 }))
        assert.deepStrictEqual(ids(yield* take(1)), [high?.id])
        assert.sameMembers(ids(yield* take(2)), ids(normal))
        assert.strictEqual((yield* take(1)).length, 1)
        assert.deepStrictEqual(ids(yield* take(9)), [low?.id])
        assert.deepStrictEqual(yield* take(9), [])
      })
    )

    test(
      "does not take tasks of excluded kinds",
      Effect.gen(function* () {
        yield* enqueue(...newTasks(3, { kind: "a", priority: 9 }), ...newTasks(2, { kind: "b" }))
        assert.deepStrictEqual(
          (yield* take(9, "a", "c")).map(({ kind }) => kind),
          ["b", "b"]
        )
        assert.strictEqual((yield* take(9)).length, 3)
      })
    )

    test(
      "leases no task twice, however many workers take at once",
      Effect.gen(function* () {
        yield* enqueue(...newTasks(60))
        const takers = Array.from({ length: 20 }, () => take(5))
        const taken = (yield* Effect.all(takers, { concurrency: "unbounded" })).flat()
        const rest = yield* Effect.repeat(take(7), { until: (leases) => leases.length === 0 })
        assert.deepStrictEqual(rest, [])
        assert.strictEqual(new Set(ids(taken)).size, taken.length)
      })
    )

    test(
      "marks several tasks as succeeded at once",
      Effect.gen(function* () {
        yield* enqueue(...newTasks(3))
        const held = yield* take(3)
        assert.deepStrictEqual(yield* succeed(...held), new Set(ids(held)))
        for (const { id } of held) {
          const done = yield* task(id)
          assert.deepInclude(done, { state: "succeeded", error: null, attempts: 1 })
          assert.isNotNull(done.finished_at)
        }
        assert.deepStrictEqual(yield* succeed(...held), none)
        assert.deepStrictEqual(yield* succeed(), none)
        assert.deepStrictEqual(yield* renew(), none)
      })
    )

    test(
      "a task whose attempt failed is ready again after the delay, with the error",
      Effect.gen(function* () {
        const lease = yield* takeNew()
        const before = Date.now()
        assert.isTrue(yield* fail(lease, { error: "closed", retryIn: Duration.hours(1) }))
        const after = Date.now()
        const waiting = yield* task(lease.id)
        assert.deepInclude(waiting, { state: "scheduled", error: "closed", attempts: 1, finished_at: null })
        const from = waiting.run_at.getTime() - 3_600_000
        assert.isAtLeast(from, before)
        assert.isAtMost(from, after)

        const soon = yield* takeNew()
        yield* fail(soon, { error: "closed", retryIn: Duration.millis(20) })
        const [again] = yield* until(take(1), (taken) => taken.length > 0)
        assert.deepInclude(again, { id: soon.id, attempt: 2 })
        assert.deepInclude(yield* task(soon.id), { state: "running", error: "closed", attempts: 2 })
      })
    )

    test(
      "a failed task keeps the error of the last attempt",
      Effect.gen(function* () {
        const lease = yield* takeNew()
        const error = `no "quotes" \\ or 'other' \u{1F600} things\nhurt`
        assert.isTrue(yield* fail(lease, { error, retryIn: null }))
        assert.deepInclude(yield* task(lease.id), { state: "failed", error, attempts: 1, max_attempts: 3 })
        assert.deepStrictEqual(yield* take(1), [])
      })
    )

    test(
      "a task that was cancelled while it was running is not held any more and cannot be ended",
      Effect.gen(function* () {
        const lease = yield* takeNew()
        yield* cancel(lease.id)
        assert.deepStrictEqual(yield* renew(lease), none)
        assert.deepStrictEqual(yield* succeed(lease), none)
        assert.isFalse(yield* fail(lease, { error: "no", retryIn: Duration.zero }))
        yield* handBack(lease)
        assert.deepInclude(yield* task(lease.id), { state: "cancelled", error: null })
      })
    )

    test(
      "a task that is handed back is ready at once and has not used up an attempt",
      Effect.gen(function* () {
        const lease = yield* takeNew({ max_attempts: 1 })
        yield* handBack(lease)
        assert.deepInclude(yield* task(lease.id), {
          state: "ready",
          error: null,
          attempts: 1,
          max_attempts: 2,
          finished_at: null
        })
        const [again] = yield* take(1)
        assert.deepInclude(again, { id: lease.id, attempt: 2, max_attempts: 2 })
        if (again !== undefined) yield* handBack(again, "nobody knows this kind")
        assert.deepInclude(yield* task(lease.id), { state: "ready", error: "nobody knows this kind" })
      })
    )

    test(
      "keeps leases that are renewed and recovers those that are not",
      Effect.gen(function* () {
        const alive = yield* takeNew()
        const dead = yield* takeNew()
        // The age at which a lease is recovered is longer than renewing and recovering just took, however slow the machine is.
        let age = 1_000
        const freed = yield* until(
          Effect.gen(function* () {
            const begun = Date.now()
            yield* renew(alive)
            yield* renew(alive)
            age = Math.max(age, 10 * (Date.now() - begun))
            return yield* TaskLeases.use((leases) => leases.recover(Duration.millis(age)))
          }),
          (found) => found.length > 0
        )
        assert.deepStrictEqual(freed, [dead.id])
        assert.deepStrictEqual(yield* renew(alive, dead), new Set([alive.id]))
        assert.deepInclude(yield* task(dead.id), {
          state: "ready",
          error: workerLost(1),
          attempts: 1,
          max_attempts: 3
        })
        assert.deepStrictEqual(ids(yield* take(5)), [dead.id])
      })
    )

    test(
      "a worker that resumes cannot end a task that another has taken over",
      Effect.gen(function* () {
        const first = yield* takeNew()
        yield* recoverOne
        const [second] = yield* take(1)
        if (second === undefined) return assert.fail("nothing was freed")
        assert.deepInclude(second, { id: first.id, attempt: 2 })

        assert.deepStrictEqual(yield* renew(first), none)
        assert.deepStrictEqual(yield* succeed(first), none)
        assert.isFalse(yield* fail(first, { error: "late", retryIn: null }))
        yield* handBack(first, "late")
        assert.deepInclude(yield* task(first.id), { state: "running", error: workerLost(1), attempts: 2 })

        assert.deepStrictEqual(yield* succeed(second), new Set([second.id]))
        assert.strictEqual((yield* task(first.id)).state, "succeeded")
      })
    )

    test(
      "a task whose worker stopped renewing in the last attempt has failed, and can be retried",
      Effect.gen(function* () {
        const lease = yield* takeNew({ max_attempts: 1 })
        yield* recoverOne
        const failed = yield* task(lease.id)
        assert.deepInclude(failed, { state: "failed", error: workerLost(1), attempts: 1 })
        assert.isNotNull(failed.finished_at)
        assert.deepStrictEqual(yield* recoverAll, [])
      })
    )
  })
}
