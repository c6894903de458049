import { Schema } from "effect"

/** A request about tasks that cannot be understood. `message` names what is wrong and says what is taken. */
export class InvalidTasks extends Schema.TaggedError<InvalidTasks>()("InvalidTasks", {
  message: Schema.String
}) {}
