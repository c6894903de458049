import { Result, Schema } from "effect"
import type { InvalidInput } from "../values/InvalidInput.ts"
import {
  defaultLimit,
  oneOf,
  type Page,
  page,
  type QueryParameters,
  single
} from "../values/QueryParameters.ts"
import { Task, type TaskState, taskStates } from "./Task.ts"

/** One page of the tasks. What is given of `state` and `kind` must hold. */
export interface TaskQuery extends Page {
  readonly state?: TaskState
  readonly kind?: string
}

/** The page, newest first, and how many there are. */
export const TaskPage = Schema.Struct({
  tasks: Schema.Array(Task),
  total: Schema.Int.annotate({ description: "Tasks matching the filters, ignoring limit and offset" }),
  limit: Schema.Int.annotate({ examples: [defaultLimit] }),
  offset: Schema.Int.annotate({ examples: [0] })
}).annotate({ identifier: "TaskPage" })
export interface TaskPage extends Schema.Schema.Type<typeof TaskPage> {}

/** Reads a page request. Fails with a sentence about the first parameter that cannot be understood. */
export const parse = (parameters: QueryParameters): Result.Result<TaskQuery, InvalidInput> =>
  Result.gen(function* () {
    const state = yield* oneOf(parameters, "state", taskStates)
    const kind = yield* single(parameters, "kind")
    return { ...(state && { state }), ...(kind && { kind }), ...(yield* page(parameters)) }
  })
