import { Context, Effect, Layer, PubSub } from "effect"
import { CrawlSchedules } from "./CrawlSchedules.ts"
import * as CrawlSchedulesMemory from "./memory/CrawlSchedulesMemory.ts"
import * as TaskLeasesMemory from "./memory/TaskLeasesMemory.ts"
import * as TaskQueueMemory from "./memory/TaskQueueMemory.ts"
import { TaskTable } from "./memory/TaskTable.ts"
import { TaskLeases, type TaskSignal } from "./TaskLeases.ts"
import { TaskQueue } from "./TaskQueue.ts"

/** Keeps tasks and schedules in this process's memory, for tests and for embedders who begin: they end with the process. */
export const layer: Layer.Layer<TaskQueue | TaskLeases | CrawlSchedules> = Layer.effectContext(
  Effect.gen(function* () {
    const table = new TaskTable()
    const signals = yield* PubSub.unbounded<TaskSignal>()
    const queue = TaskQueueMemory.make(table, signals)
    return Context.make(TaskQueue, queue).pipe(
      Context.add(TaskLeases, TaskLeasesMemory.make(table, signals)),
      Context.add(CrawlSchedules, CrawlSchedulesMemory.make(table, queue))
    )
  })
)
