import { Context, Effect, Layer, PubSub } from "effect"
import { CrawlSchedules } from "./CrawlSchedules.ts"
import * as CrawlSchedulesMemory from "./CrawlSchedulesMemory.ts"
import { TaskLeases, type TaskSignal } from "./TaskLeases.ts"
import * as TaskLeasesMemory from "./TaskLeasesMemory.ts"
import { TaskQueue } from "./TaskQueue.ts"
import * as TaskQueueMemory from "./TaskQueueMemory.ts"
import { TaskTable } from "./TaskTable.ts"

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
