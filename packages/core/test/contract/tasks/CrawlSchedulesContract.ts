import type { CrawlScheduleSettings } from "@clicks/core/tasks/CrawlSchedule"
import { CrawlSchedules } from "@clicks/core/tasks/CrawlSchedules"
import type { Task } from "@clicks/core/tasks/Task"
import type { TaskLeases } from "@clicks/core/tasks/TaskLeases"
import type { TaskQueue } from "@clicks/core/tasks/TaskQueue"
import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { cancel, clear, enqueue, list as listTasks, newTask, succeed, take, task } from "./taskSteps.ts"

const noon = Date.UTC(2026, 10, 20, 12)
const at = (minutes: number) => new Date(noon + minutes * 60_000)

const put = (store_id: string, settings: CrawlScheduleSettings) =>
  CrawlSchedules.use((schedules) => schedules.put(store_id, settings))
const remove = (store_id: string) => CrawlSchedules.use((schedules) => schedules.remove(store_id))
const all = CrawlSchedules.use((schedules) => schedules.list)
const fire = CrawlSchedules.use((schedules) => schedules.fireDue)
const removeAll = Effect.gen(function* () {
  for (const { store_id } of yield* all) yield* remove(store_id)
})
const only = Effect.map(all, ([schedule]) => schedule)
const finishAll = Effect.flatMap(take(100), (held) => succeed(...held))
const stores = (tasks: ReadonlyArray<Task>) => tasks.map(({ payload }) => payload)

type Ports = CrawlSchedules | TaskQueue | TaskLeases

/** The contract of every `CrawlSchedules`. Each test begins without schedules and tasks; the clock stands at noon. */
export const suite = <E>(name: string, schedules: Layer.Layer<Ports, E>): void => {
  layer(schedules, { timeout: "60 seconds" })(`CrawlSchedules (${name})`, (it) => {
    const test = (title: string, body: Effect.Effect<void, unknown, Ports>) =>
      it.effect(title, () =>
        Effect.all([clear, removeAll, TestClock.setTime(noon)]).pipe(Effect.andThen(body))
      )

    test(
      "a new schedule is enabled, has priority 0 and is due at once",
      Effect.gen(function* () {
        const made = yield* put("s-1", { interval_minutes: 15 })
        assert.deepStrictEqual(made, {
          created: true,
          schedule: {
            id: "s-1",
            store_id: "s-1",
            interval_minutes: 15,
            enabled: true,
            priority: 0,
            last_run_at: null,
            next_run_at: at(0),
            updated_at: at(0)
          }
        })
        assert.deepStrictEqual(yield* all, [made.schedule])
      })
    )

    test(
      "changing a schedule sets the given fields and keeps the others",
      Effect.gen(function* () {
        yield* put("s-1", { interval_minutes: 15, enabled: false, priority: 7 })
        yield* TestClock.adjust("1 minute")
        const { created, schedule } = yield* put("s-1", { interval_minutes: 30 })
        assert.isFalse(created)
        assert.deepInclude(schedule, {
          interval_minutes: 30,
          enabled: false,
          priority: 7,
          next_run_at: null,
          updated_at: at(1)
        })
        const enabled = yield* put("s-1", { interval_minutes: 30, enabled: true, priority: -3 })
        assert.deepInclude(enabled.schedule, { enabled: true, priority: -3, next_run_at: at(1) })
        const same = yield* put("s-1", {})
        assert.deepInclude(same.schedule, { interval_minutes: 30, enabled: true, priority: -3 })
      })
    )

    test(
      "rejects a new schedule without an interval and creates none",
      Effect.gen(function* () {
        const refused = yield* Effect.flip(put("s-1", { enabled: false }))
        assert.strictEqual(refused._tag, "InvalidInput")
        assert.deepStrictEqual(yield* all, [])
      })
    )

    test(
      "lists schedules by store id and removes them",
      Effect.gen(function* () {
        for (const store of ["s-2", "S-1", "é", "s-10"]) yield* put(store, { interval_minutes: 1 })
        assert.deepStrictEqual(
          (yield* all).map(({ store_id }) => store_id),
          ["S-1", "s-10", "s-2", "é"]
        )
        assert.isTrue(yield* remove("s-10"))
        assert.isFalse(yield* remove("s-10"))
        assert.isFalse(yield* remove("\0"))
        assert.strictEqual((yield* all).length, 3)
      })
    )

    test(
      "fires when it is due, with its priority, and then not before the interval has passed",
      Effect.gen(function* () {
        yield* put("s-1", { interval_minutes: 15, priority: 5 })
        const [crawl, ...more] = yield* fire
        assert.deepStrictEqual(more, [])
        assert.deepInclude(crawl, {
          kind: "store-crawl",
          payload: { store_id: "s-1" },
          state: "ready",
          priority: 5,
          batch_id: null
        })
        assert.deepInclude(yield* only, { last_run_at: at(0), next_run_at: at(15) })
        yield* finishAll
        yield* TestClock.adjust("14 minutes")
        assert.deepStrictEqual(yield* fire, [])
        yield* TestClock.adjust("1 minute")
        assert.strictEqual((yield* fire).length, 1)
        assert.deepInclude(yield* only, { last_run_at: at(15), next_run_at: at(30) })
      })
    )

    test(
      "keeps its schedule if it fires a little late",
      Effect.gen(function* () {
        yield* put("s-1", { interval_minutes: 15 })
        yield* fire
        yield* finishAll
        yield* TestClock.adjust("17 minutes")
        assert.strictEqual((yield* fire).length, 1)
        assert.deepInclude(yield* only, { last_run_at: at(17), next_run_at: at(30) })
      })
    )

    test(
      "makes up for missed runs once",
      Effect.gen(function* () {
        yield* put("s-1", { interval_minutes: 15 })
        yield* fire
        yield* finishAll
        yield* TestClock.adjust("10 hours")
        assert.strictEqual((yield* fire).length, 1)
        yield* finishAll
        assert.deepStrictEqual(yield* fire, [])
        assert.deepInclude(yield* only, { last_run_at: at(600), next_run_at: at(615) })
      })
    )

    test(
      "fires once, however many processes call at the same time",
      Effect.gen(function* () {
        for (let store = 0; store < 30; store++) yield* put(`s-${store}`, { interval_minutes: 60 })
        const fired = yield* Effect.all(
          Array.from({ length: 12 }, () => fire),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(fired.flat().length, 30)
        assert.strictEqual(new Set(stores(fired.flat()).map((payload) => JSON.stringify(payload))).size, 30)
        assert.strictEqual((yield* listTasks()).total, 30)
      })
    )

    test(
      "queues no crawl while the store has an unfinished one, and continues afterwards",
      Effect.gen(function* () {
        yield* put("s-1", { interval_minutes: 1 })
        yield* put("s-2", { interval_minutes: 1 })
        const [byHand] = yield* enqueue(newTask({ payload: { store_id: "s-2" } }))
        assert.deepStrictEqual(stores(yield* fire), [{ store_id: "s-1" }])
        for (let minute = 0; minute < 5; minute++) {
          yield* TestClock.adjust("1 minute")
          assert.deepStrictEqual(yield* fire, [])
        }
        assert.deepInclude((yield* all)[1], { last_run_at: null, next_run_at: at(6) })
        const running = (yield* take(2)).filter(({ id }) => id !== byHand?.id)
        yield* cancel(byHand?.id ?? "")
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(stores(yield* fire), [{ store_id: "s-2" }])
        yield* succeed(...running, ...(yield* take(9)))
        yield* TestClock.adjust("1 minute")
        assert.strictEqual((yield* fire).length, 2)
      })
    )

    test(
      "a disabled or removed schedule does not fire, and its queued crawl is kept",
      Effect.gen(function* () {
        yield* put("s-1", { interval_minutes: 1, enabled: false })
        yield* put("s-2", { interval_minutes: 1 })
        const [crawl] = yield* fire
        assert.deepStrictEqual(crawl?.payload, { store_id: "s-2" })
        yield* remove("s-2")
        yield* TestClock.adjust("1 hour")
        assert.deepStrictEqual(yield* fire, [])
        assert.strictEqual((yield* task(crawl?.id ?? "")).state, "ready")
      })
    )

    test(
      "a changed interval counts from the last run",
      Effect.gen(function* () {
        yield* put("s-1", { interval_minutes: 60 })
        yield* fire
        yield* TestClock.adjust("10 minutes")
        const sooner = yield* put("s-1", { interval_minutes: 30 })
        assert.deepInclude(sooner.schedule, { last_run_at: at(0), next_run_at: at(30) })
        const overdue = yield* put("s-1", { interval_minutes: 5 })
        assert.deepStrictEqual(overdue.schedule.next_run_at, at(10))
      })
    )
  })
}
