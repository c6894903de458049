import { Schema } from "effect"

/**
 * Why a handler could not do its task. `message` is a sentence for the operator and is stored: it names no secret and no
 * internals. `cause` goes to the log only. What is not `retryable` (a wrong payload, a missing setting) fails for good at once.
 */
export class TaskFailure extends Schema.TaggedError<TaskFailure>()("TaskFailure", {
  message: Schema.String,
  retryable: Schema.Boolean,
  cause: Schema.optionalKey(Schema.Defect())
}) {}
