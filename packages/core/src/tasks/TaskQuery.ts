import { Result, Schema } from "effect"
import { defaultLimit, maxLimit, wholeNumber } from "../clicks/ClickQuery.ts"
import { InvalidTasks } from "./InvalidTasks.ts"
import { Task, type TaskState, taskStates } from "./Task.ts"

/** One page of the tasks. What is given of `state` and `kind` must hold. */
export interface TaskQuery {
  readonly state?: TaskState
  readonly kind?: string
  readonly limit: number
  readonly offset: number
}

/** The page, newest first, and how many there are. */
export const TaskPage = Schema.Struct({
  tasks: Schema.Array(Task),
  total: Schema.Int.annotate({ description: "Tasks matching the filters, ignoring limit and offset" }),
  limit: Schema.Int.annotate({ examples: [defaultLimit] }),
  offset: Schema.Int.annotate({ examples: [0] })
}).annotate({ identifier: "TaskPage" })
export interface TaskPage extends Schema.Schema.Type<typeof TaskPage> {}

/** The parameters as they are typed: in a URL or on a command line. An empty one is absent. */
export type TaskQueryParameters = Readonly<Record<string, string | undefined>>

const stateOf = (text: string | undefined): Result.Result<TaskState | undefined, InvalidTasks> => {
  const state = taskStates.find((known) => known === text)
  return !text || state !== undefined
    ? Result.succeed(state)
    : Result.fail(new InvalidTasks({ message: `state must be one of: ${taskStates.join(", ")}` }))
}

const number = (
  parameters: TaskQueryParameters,
  name: "limit" | "offset",
  ...[fallback, min, max]: [number, number, number]
): Result.Result<number, InvalidTasks> =>
  Result.mapError(
    wholeNumber(parameters, name, fallback, min, max),
    ({ message }) => new InvalidTasks({ message })
  )

/** Reads a page request. Fails with a sentence about the first parameter that cannot be understood. */
export const parse = (parameters: TaskQueryParameters): Result.Result<TaskQuery, InvalidTasks> =>
  Result.gen(function* () {
    const state = yield* stateOf(parameters["state"])
    const kind = parameters["kind"] || undefined
    const limit = yield* number(parameters, "limit", defaultLimit, 1, maxLimit)
    const offset = yield* number(parameters, "offset", 0, 0, Number.MAX_SAFE_INTEGER)
    return { ...(state !== undefined && { state }), ...(kind !== undefined && { kind }), limit, offset }
  })
