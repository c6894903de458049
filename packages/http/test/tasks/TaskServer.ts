import type { Task } from "@clicks/core/tasks/Task"
import type { QueuedBatch, TaskBatch } from "@clicks/core/tasks/TaskBatch"
import * as TaskKind from "@clicks/core/tasks/TaskKind"
import * as TaskKinds from "@clicks/core/tasks/TaskKinds"
import { TaskLeases } from "@clicks/core/tasks/TaskLeases"
import * as TasksMemory from "@clicks/core/testing/TasksMemory"
import { Context, Effect, Layer, Schema } from "effect"
import { type Request, testServer } from "../TestServer.ts"

/** A kind defined by an embedder. */
const report = TaskKind.make(
  "report",
  Schema.Struct({ day: Schema.String, note: Schema.optionalKey(Schema.Json) })
)

/** A server whose tasks a test can take like a worker. */
export const taskServer = Effect.gen(function* () {
  const tasks = yield* Layer.build(TasksMemory.layer)
  const server = yield* testServer({
    tasks: Layer.succeedContext(tasks),
    kinds: TaskKinds.layerWith([report])
  })
  return { ...server, leases: Context.get(tasks, TaskLeases) }
})

export const posting = (body: unknown): Request => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body)
})

export const putting = (body: unknown): Request => ({ ...posting(body), method: "PUT" })

type OnWire<A> = { readonly [K in keyof A]: A[K] extends Date ? string : A[K] }

export const asTask = (json: unknown) => json as OnWire<Task>
export const asQueued = (json: unknown) =>
  json as Omit<QueuedBatch, "tasks"> & { readonly tasks: ReadonlyArray<OnWire<QueuedBatch["tasks"][number]>> }
export const asBatch = (json: unknown) =>
  json as Omit<TaskBatch, "tasks"> & { readonly tasks: ReadonlyArray<OnWire<Task>> }

export const staggered = "/api/tasks/batch/staggered"
export const discovery = "/api/tasks/batch/store-discovery"
export const schedules = "/api/tasks/schedules/high-frequency"

export const crawls = (count: number, fields: object = {}) => ({
  tasks: Array.from({ length: count }, (_, n) => ({
    kind: "store-crawl",
    payload: { store_id: `s-${n}` },
    ...fields
  })),
  delay_seconds: 0
})
