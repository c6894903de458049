import { text } from "node:stream/consumers"
import { enqueueDiscovery, StoreDiscovery } from "@clicks/core/tasks/enqueueDiscovery"
import { enqueueStaggered, StaggeredTasks } from "@clicks/core/tasks/enqueueStaggered"
import type { QueuedBatch } from "@clicks/core/tasks/TaskBatch"
import { decode } from "@clicks/core/values/InvalidInput"
import { Effect } from "effect"
import { aboutOption, CommandFailed, defined, orUsageError, UsageError } from "../CommandError.ts"
import * as Database from "../Database.ts"
import { countOf } from "../terminal/format.ts"
import * as Output from "../terminal/Output.ts"
import { table } from "../terminal/Table.ts"
import { queuedColumns } from "./taskTables.ts"

interface Options extends Output.Format {
  readonly priority?: number
}

const show = Effect.fnUntraced(function* ({ json }: Output.Format, batch: QueuedBatch) {
  if (json) return yield* Output.json(batch)
  yield* Output.line(table(queuedColumns(), batch.tasks, Output.width()))
  yield* Output.note(`Batch ${batch.batch_id} has ${countOf(batch.total, "task")}`)
})

/** `clicks tasks discover`. */
export const discoverStores = Effect.fn("discoverStores")(function* (
  given: ReadonlyArray<string>,
  { priority, staggerSeconds, ...format }: Options & { readonly staggerSeconds?: number }
) {
  const states = given.map((state) => state.toUpperCase())
  // Core's message has the index of an invalid state. Users of the command line need the state itself.
  const aboutStates = (message: string) =>
    aboutOption(message.replace(/^states\.(\d+):? /, (_, index) => `"${given[index]}" `))
  const input = { states, stagger_seconds: staggerSeconds, priority }
  const discovery = yield* orUsageError(decode(StoreDiscovery, defined(input)), aboutStates)
  const batch = yield* enqueueDiscovery(discovery).pipe(
    Effect.catchTag("InvalidInput", ({ message }) =>
      Effect.fail(new UsageError({ message: message.replace(/^states: /, "") }))
    ),
    Effect.provide(Database.layer)
  )
  yield* show(format, batch)
})

const readLines = Effect.tryPromise({
  try: () => text(process.stdin),
  catch: (cause) => new CommandFailed({ message: "Standard input cannot be read", cause })
}).pipe(Effect.map((input) => input.split("\n").filter((line) => line.trim() !== "")))

const parsePayload = (source: string, index: number) =>
  Effect.try({
    try: (): unknown => JSON.parse(source),
    catch: () => new UsageError({ message: `Payload ${index + 1} is not JSON` })
  })

const readPayloads = Effect.fnUntraced(function* (given: ReadonlyArray<string>) {
  const sources = given.length === 1 && given[0] === "-" ? yield* readLines : given
  return yield* Effect.forEach(sources, parsePayload)
})

// All tasks share the options; only the payloads differ.
const aboutPayloads = (message: string): string =>
  /^tasks\.\d+: /.test(message)
    ? message.replace(/^tasks\.(\d+)/, (_, index) => `Payload ${Number(index) + 1}`)
    : aboutOption(message.replace(/^tasks\.\d+\./, "")).replace(/^--tasks:? /, "")

/** `clicks tasks enqueue`. */
export const enqueueTasks = Effect.fn("enqueueTasks")(function* (
  kind: string,
  given: ReadonlyArray<string>,
  {
    delaySeconds = 0,
    priority,
    startAt,
    ...format
  }: Options & { readonly delaySeconds?: number; readonly startAt?: string }
) {
  const payloads = yield* readPayloads(given)
  const tasks = payloads.map((payload) => defined({ kind, payload, priority }))
  const input = defined({ tasks, delay_seconds: delaySeconds, start_at: startAt })
  const batch = yield* orUsageError(decode(StaggeredTasks, input), aboutPayloads).pipe(
    Effect.flatMap((staggered) => enqueueStaggered(staggered).pipe(Effect.provide(Database.layer))),
    Effect.catchTag("InvalidInput", ({ message }) =>
      Effect.fail(new UsageError({ message: aboutPayloads(message) }))
    )
  )
  yield* show(format, batch)
})
