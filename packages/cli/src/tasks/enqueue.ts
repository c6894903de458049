import { text } from "node:stream/consumers"
import { enqueueDiscovery, StoreDiscovery } from "@clicks/core/tasks/enqueueDiscovery"
import { enqueueStaggered, StaggeredTasks } from "@clicks/core/tasks/enqueueStaggered"
import type { QueuedBatch } from "@clicks/core/tasks/TaskBatch"
import { decodeBody } from "@clicks/core/values/InvalidInput"
import { Effect } from "effect"
import { aboutOption, CommandFailed, exitCodes, orUsageError, UsageError } from "../CommandError.ts"
import { countOf } from "../terminal/format.ts"
import * as Output from "../terminal/Output.ts"
import * as TaskPorts from "./TaskPorts.ts"
import { queuedTable, whereShown } from "./taskTables.ts"
import { typedNumber } from "./typedNumber.ts"

interface Options {
  readonly priority?: string
  readonly json: boolean
}

const tell = Effect.fnUntraced(function* (batch: QueuedBatch, json: boolean) {
  if (json) yield* Output.json(batch)
  else {
    yield* Output.line(queuedTable(batch.tasks, yield* whereShown))
    yield* Output.note(`Batch ${batch.batch_id} has ${countOf(batch.total, "task")}`)
  }
  return exitCodes.done
})

const priorityOf = ({ priority }: Options) =>
  priority === undefined ? {} : { priority: typedNumber(priority) }

/** `clicks tasks discover`. */
export const discoverStores = Effect.fn("discoverStores")(function* (
  states: ReadonlyArray<string>,
  options: Options & { readonly staggerSeconds?: string }
) {
  const { staggerSeconds } = options
  const input = {
    states: states.map((state) => state.toUpperCase()),
    ...(staggerSeconds !== undefined && { stagger_seconds: typedNumber(staggerSeconds) }),
    ...priorityOf(options)
  }
  const asOption = (sentence: string) =>
    sentence.replace(/^states\.(\d+): /, (_, index: string) => `"${states[Number(index)]}" `)
  const discovery = yield* orUsageError(decodeBody(StoreDiscovery, input), (sentence) =>
    aboutOption(asOption(sentence))
  )
  const batch = yield* enqueueDiscovery(discovery).pipe(
    Effect.catchTag("InvalidInput", ({ message }) =>
      Effect.fail(new UsageError({ message: message.replace(/^states: /, "") }))
    ),
    Effect.provide(TaskPorts.layer)
  )
  return yield* tell(batch, options.json)
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

// What core says of task 0 is about the first payload, or about an option that all tasks share.
const aboutPayloads = (sentence: string): string => {
  const [, index, rest = ""] = /^tasks\.(\d+)[.:] ?(.*)$/s.exec(sentence) ?? []
  if (sentence.startsWith("tasks: ")) return sentence.slice("tasks: ".length)
  if (index === undefined || rest.startsWith("priority")) return aboutOption(rest || sentence)
  return `Payload ${Number(index) + 1}: ${rest}`
}

/** `clicks tasks enqueue`. */
export const enqueueTasks = Effect.fn("enqueueTasks")(function* (
  kind: string,
  given: ReadonlyArray<string>,
  options: Options & { readonly delaySeconds?: string; readonly startAt?: string }
) {
  const payloads = yield* readPayloads(given)
  const { delaySeconds = "0", startAt } = options
  const input = {
    tasks: payloads.map((payload) => ({ kind, payload, ...priorityOf(options) })),
    delay_seconds: typedNumber(delaySeconds),
    ...(startAt !== undefined && { start_at: startAt })
  }
  const tasks = yield* orUsageError(decodeBody(StaggeredTasks, input), aboutPayloads)
  const batch = yield* enqueueStaggered(tasks).pipe(
    Effect.catchTag("InvalidInput", ({ message }) =>
      Effect.fail(new UsageError({ message: aboutPayloads(message) }))
    ),
    Effect.provide(TaskPorts.layer)
  )
  return yield* tell(batch, options.json)
})
