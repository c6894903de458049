import type { TaskHandler, TaskRun } from "@clicks/core/tasks/TaskKind"
import * as TaskKind from "@clicks/core/tasks/TaskKind"
import { TaskFailure } from "@clicks/core/tasks/TaskKind"
import { TaskLeases } from "@clicks/core/tasks/TaskLeases"
import { TaskQueue } from "@clicks/core/tasks/TaskQueue"
import * as TasksMemory from "@clicks/core/testing/TasksMemory"
import { PortError } from "@clicks/core/values/PortError"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Deferred, Duration, Effect, Exit, Layer, Logger, Schema, Scope } from "effect"
import { TestClock } from "effect/testing"
import * as TaskWorker from "../../src/tasks/TaskWorker.ts"
import type { TaskWorkerOptions } from "../../src/tasks/TaskWorkerOptions.ts"
import {
  all,
  enqueue,
  enqueueOne,
  newTask,
  numbered,
  onNumber,
  passUntil,
  passUntilState,
  task
} from "./workerSteps.ts"

const started = (handlers: ReadonlyArray<TaskHandler>, options: Partial<TaskWorkerOptions> = {}) =>
  Effect.gen(function* () {
    const scope = yield* Scope.fork(yield* Effect.scope)
    const context = yield* Layer.buildWithScope(TaskWorker.layer(handlers, options), scope)
    const worker = yield* Effect.provide(TaskWorker.TaskWorker, context)
    return { ...worker, stop: Scope.close(scope, Exit.void) }
  })

const test = (title: string, body: Effect.Effect<void, unknown, TaskQueue | TaskLeases | Scope.Scope>) =>
  it.effect(title, () => body.pipe(Effect.provide(Layer.fresh(TasksMemory.layer))))

const shopIsClosed = new TaskFailure({ message: "The shop is closed", retryable: true })

describe("TaskWorker", () => {
  test(
    "runs a task with its payload and attempt number",
    Effect.gen(function* () {
      const done: Array<readonly [number, TaskRun]> = []
      yield* started([onNumber((n, about) => Effect.sync(() => void done.push([n, about])))])
      const id = yield* enqueueOne(7, { max_attempts: 3 })
      yield* passUntilState(id, "succeeded")
      assert.deepStrictEqual(done, [[7, { id, attempt: 1, maxAttempts: 3 }]])
    })
  )

  test(
    "retries with exponential backoff, and keeps the error of the last attempt",
    Effect.gen(function* () {
      const begun: Array<number> = []
      const handler = onNumber(() =>
        Effect.gen(function* () {
          begun.push(yield* Clock.currentTimeMillis)
          return yield* shopIsClosed
        })
      )
      yield* started([handler], {
        retryDelays: { first: "10 seconds", longest: "30 seconds" },
        pollEvery: "50 millis"
      })
      const id = yield* enqueueOne(1, { max_attempts: 4 })
      yield* passUntil(task(id), ({ attempts, state }) => attempts === 1 && state === "scheduled")
      assert.deepInclude(yield* task(id), { error: "The shop is closed", attempts: 1, finished_at: null })
      const failed = yield* passUntilState(id, "failed")
      assert.deepInclude(failed, { error: "The shop is closed", attempts: 4 })
      assert.isNotNull(failed.finished_at)

      const waits = begun.slice(1).map((time, index) => time - (begun[index] ?? 0))
      const longest = [10_000, 20_000, 30_000]
      assert.strictEqual(waits.length, 3)
      for (const [index, wait] of waits.entries()) {
        const whole = longest[index] ?? 0
        assert.isTrue(wait >= whole / 2 && wait <= whole + 200, `${wait} of ${whole}`)
      }
    })
  )

  test(
    "fails at once when the failure is not retryable, and runs again after a manual retry",
    Effect.gen(function* () {
      let isMended = false
      const failure = new TaskFailure({ message: "CLICKS_DISCOVERY_URL is not set", retryable: false })
      yield* started([onNumber(() => Effect.suspend(() => (isMended ? Effect.void : Effect.fail(failure))))])
      const id = yield* enqueueOne(1)
      const failed = yield* passUntilState(id, "failed")
      assert.deepInclude(failed, { error: "CLICKS_DISCOVERY_URL is not set", attempts: 1 })
      isMended = true
      yield* TaskQueue.use((queue) => queue.retry(id))
      assert.deepInclude(yield* passUntilState(id, "succeeded"), { attempts: 2, error: null })
    })
  )

  test(
    "logs a defect without storing it, and keeps running",
    Effect.gen(function* () {
      const logged: Array<string> = []
      const logger = Logger.make(
        ({ cause, message }) => void logged.push(`${String(message)} ${String(cause)}`)
      )
      const handler = onNumber((n) => {
        if (n === 1) throw new Error("postgres://user:secret@host")
        return n === 2 ? Effect.die(new Error("secret too")) : Effect.void
      })
      yield* started([handler]).pipe(Effect.provide(Logger.layer([logger])))
      const ids = [yield* enqueueOne(1, { max_attempts: 1 }), yield* enqueueOne(2, { max_attempts: 1 })]
      for (const id of ids) {
        const failed = yield* passUntilState(id, "failed")
        assert.strictEqual(failed.error, "The handler of numbered failed unexpectedly; see the worker's log")
      }
      yield* passUntilState(yield* enqueueOne(3), "succeeded")
      assert.include(logged.join(), "secret@host")
      assert.include(logged.join(), "secret too")
    })
  )

  test(
    "fails a task with an invalid payload at once, and keeps running",
    Effect.gen(function* () {
      yield* started([onNumber(() => Effect.void)])
      const id = yield* enqueueOne(1, { payload: { n: "seven" } })
      const failed = yield* passUntilState(id, "failed")
      assert.deepInclude(failed, {
        attempts: 1,
        error: "Invalid payload for kind numbered: n: Expected number"
      })
      yield* passUntilState(yield* enqueueOne(2), "succeeded")
    })
  )

  test(
    "truncates a long error and replaces characters that cannot be stored",
    Effect.gen(function* () {
      const message = `${"x".repeat(1999)}\u{1F600}${"y".repeat(10_000)}\0`
      yield* started([onNumber(() => new TaskFailure({ message, retryable: false }))])
      const { error } = yield* passUntilState(yield* enqueueOne(1), "failed")
      assert.strictEqual(error, `${"x".repeat(1999)}\uFFFD`)
    })
  )

  test(
    "leaves tasks of unknown kinds, with a note, to other workers",
    Effect.gen(function* () {
      const report = TaskKind.make("report", Schema.Struct({}))
      yield* started([onNumber(() => Effect.void)])
      const reports = [
        newTask(0, { kind: "report", payload: {} }),
        newTask(0, { kind: "report", payload: {} })
      ]
      yield* enqueue(...reports)
      yield* passUntilState(yield* enqueueOne(1), "succeeded")
      yield* TestClock.adjust("1 hour")
      const left = (yield* all).filter(({ kind }) => kind === "report")
      assert.isTrue(left.every(({ state }) => state === "ready"))
      assert.isAtMost(
        left.reduce((sum, { attempts }) => sum + attempts, 0),
        2
      )
      assert.include(
        left.map(({ error }) => error),
        "No worker with a handler for the kind report has taken it yet"
      )
      yield* started([TaskKind.handler(report, () => Effect.void)])
      for (const { id } of reports) yield* passUntilState(id, "succeeded")
    })
  )

  test(
    "uses all its slots and never more",
    Effect.gen(function* () {
      let running = 0
      let most = 0
      const handler = onNumber((n) =>
        Effect.acquireUseRelease(
          Effect.sync(() => {
            most = Math.max(most, ++running)
          }),
          () => Effect.sleep(`${(n * 37) % 400} millis`),
          () => Effect.sync(() => void running--)
        )
      )
      const worker = yield* started([handler])
      yield* enqueue(...Array.from({ length: 300 }, (_, n) => newTask(n)))
      yield* passUntil(Effect.all([all, worker.held]), ([tasks, held]) => {
        assert.isAtMost(tasks.filter(({ state }) => state === "running").length, 5)
        assert.isAtMost(held, 5)
        return tasks.every(({ state }) => state === "succeeded")
      })
      assert.strictEqual(most, 5)
    })
  )

  test(
    "interrupts a running task when it is cancelled, and frees its slot",
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const interrupted = yield* Deferred.make<void>()
      const handler = onNumber((n) =>
        n === 1
          ? Deferred.succeed(begun, undefined).pipe(
              Effect.andThen(Effect.never),
              Effect.onInterrupt(() => Deferred.succeed(interrupted, undefined))
            )
          : Effect.void
      )
      yield* started([handler], { maxConcurrentTasks: 1 })
      const id = yield* enqueueOne(1)
      yield* Deferred.await(begun)
      yield* TaskQueue.use((queue) => queue.cancel(id))
      yield* Deferred.await(interrupted)
      yield* passUntilState(yield* enqueueOne(2), "succeeded")
      assert.deepInclude(yield* task(id), { state: "cancelled", error: null })
    })
  )

  test(
    "interrupts and retries an attempt that times out",
    Effect.gen(function* () {
      yield* started([onNumber((_, { attempt }) => (attempt === 1 ? Effect.never : Effect.void))], {
        timeLimit: "1 minute"
      })
      const id = yield* enqueueOne(1)
      const waiting = yield* passUntilState(id, "scheduled")
      assert.strictEqual(waiting.error, "The attempt timed out after 1m")
      yield* passUntilState(id, "succeeded")
    })
  )

  test(
    "renews the lease of a long task",
    Effect.gen(function* () {
      let runs = 0
      const handler = onNumber(() =>
        Effect.suspend(() => {
          runs++
          return Effect.sleep("10 minutes")
        })
      )
      yield* started([handler])
      yield* started([handler])
      const id = yield* enqueueOne(1)
      assert.strictEqual((yield* passUntilState(id, "succeeded")).attempts, 1)
      assert.strictEqual(runs, 1)
    })
  )
})

describe("TaskWorker, when it stops", () => {
  test(
    "takes no more tasks and waits for the running ones",
    Effect.gen(function* () {
      const worker = yield* started([onNumber(() => Effect.sleep("20 seconds"))], { maxConcurrentTasks: 2 })
      const ids = yield* Effect.forEach([1, 2, 3], (n) => enqueueOne(n))
      yield* passUntil(worker.held, (held) => held === 2)
      const stopping = yield* Effect.forkChild(worker.stop)
      yield* passUntil(worker.isTaking, (taking) => !taking)
      assert.isUndefined(stopping.pollUnsafe())
      yield* passUntil(
        Effect.sync(() => stopping.pollUnsafe()),
        (exit) => exit !== undefined
      )
      const states = yield* Effect.forEach(ids, task)
      assert.deepStrictEqual(
        states.map(({ state }) => state),
        ["succeeded", "succeeded", "ready"]
      )
    })
  )

  test(
    "hands back tasks that have not ended after 30 seconds, at no cost of an attempt",
    Effect.gen(function* () {
      let interrupted = 0
      const handler = onNumber((n) =>
        n === 1
          ? Effect.onInterrupt(Effect.never, () => Effect.sync(() => void interrupted++))
          : Effect.sleep("29 seconds")
      )
      const worker = yield* started([handler])
      const endless = yield* enqueueOne(1, { max_attempts: 1 })
      const long = yield* enqueueOne(2)
      yield* passUntil(worker.held, (held) => held === 2)
      const began = yield* Clock.currentTimeMillis
      const stopping = yield* Effect.forkChild(worker.stop)
      yield* passUntil(
        Effect.sync(() => stopping.pollUnsafe()),
        (exit) => exit !== undefined
      )
      assert.closeTo((yield* Clock.currentTimeMillis) - began, 30_000, 200)
      assert.strictEqual(interrupted, 1)
      assert.strictEqual((yield* task(long)).state, "succeeded")
      assert.deepInclude(yield* task(endless), { state: "ready", attempts: 1, max_attempts: 2, error: null })
    })
  )
})

describe("TaskWorker, when the queue is unavailable", () => {
  const away = new PortError({ port: "task queue", operation: "any", cause: "away" })

  /** The leases, which a test can switch off. */
  const withOutages = Effect.gen(function* () {
    const leases = yield* TaskLeases
    const outage = { isOn: false }
    const guarded = <A>(effect: Effect.Effect<A, PortError>): Effect.Effect<A, PortError> =>
      Effect.suspend(() => (outage.isOn ? Effect.fail(away) : effect))
    const layer = Layer.succeed(TaskLeases, {
      take: (limit, except) => guarded(leases.take(limit, except)),
      renew: (held) => guarded(leases.renew(held)),
      succeed: (held) => guarded(leases.succeed(held)),
      fail: (lease, failed) => guarded(leases.fail(lease, failed)),
      handBack: (held, error) => guarded(leases.handBack(held, error)),
      recover: (silentFor) => guarded(leases.recover(silentFor)),
      signals: leases.signals
    })
    return { leases, outage, layer }
  })

  test(
    "ends a finished task in the queue when the queue is back",
    Effect.gen(function* () {
      const { layer, outage } = yield* withOutages
      const worker = yield* started([onNumber(() => Effect.sleep("1 second"))]).pipe(Effect.provide(layer))
      const id = yield* enqueueOne(1)
      yield* passUntil(worker.held, (held) => held === 1)
      outage.isOn = true
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual((yield* task(id)).state, "running")
      outage.isOn = false
      assert.strictEqual((yield* passUntilState(id, "succeeded")).attempts, 1)
      yield* passUntilState(yield* enqueueOne(2), "succeeded")
    })
  )

  test(
    "abandons tasks that it cannot renew before others take them over",
    Effect.gen(function* () {
      const { layer, leases, outage } = yield* withOutages
      const ended: Array<string> = []
      const handler = (name: string) =>
        onNumber(() =>
          Effect.sleep("2 minutes").pipe(
            Effect.andThen(Effect.sync(() => void ended.push(`${name} done`))),
            Effect.onInterrupt(() => Effect.sync(() => void ended.push(`${name} interrupted`)))
          )
        )
      const worker = yield* started([handler("cut off")]).pipe(Effect.provide(layer))
      const id = yield* enqueueOne(1)
      yield* passUntil(worker.held, (held) => held === 1)
      const began = yield* Clock.currentTimeMillis
      outage.isOn = true
      yield* passUntil(worker.held, (held) => held === 0)
      yield* passUntil(
        Effect.sync(() => ended),
        (names) => names.length > 0
      )
      assert.deepStrictEqual(ended, ["cut off interrupted"])
      assert.isBelow((yield* Clock.currentTimeMillis) - began, 12_000)
      assert.deepStrictEqual(yield* leases.recover(Duration.seconds(12)), [])

      yield* started([handler("other")])
      yield* passUntil(task(id), ({ attempts }) => attempts === 2)
      assert.isBelow((yield* Clock.currentTimeMillis) - began, 30_000)
      yield* passUntilState(id, "succeeded")
      assert.deepStrictEqual(ended, ["cut off interrupted", "other done"])
    })
  )
})

describe("the kinds", () => {
  it("reject an invalid name as a defect", () => {
    for (const name of ["", "Store", "a b", "-a", "a--b", "x".repeat(101)]) {
      assert.throws(() => TaskKind.make(name, Schema.Struct({})), /is not a valid name for a task kind/)
    }
    assert.strictEqual(numbered.name, "numbered")
  })
})
