import { Runtime, Schema } from "effect"

/** What a process tells by its exit code. */
export const exitCodes = { done: 0, failed: 1, usedWrongly: 2, someRejected: 3 } as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** A command could not do what it was asked to. `message` is one line for the person who asked. */
export class CommandFailed extends Schema.TaggedError<CommandFailed>()("CommandFailed", {
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {
  override readonly [Runtime.errorExitCode] = exitCodes.failed
}

/** A command was called in a way it cannot understand. `message` says what it takes instead. */
export class UsedWrongly extends Schema.TaggedError<UsedWrongly>()("UsedWrongly", {
  message: Schema.String
}) {
  override readonly [Runtime.errorExitCode] = exitCodes.usedWrongly
}

/** Whoever read the output has seen enough and closed it, as `head` does. Not a failure. */
export class OutputClosed extends Schema.TaggedError<OutputClosed>()("OutputClosed", {}) {
  override readonly [Runtime.errorExitCode] = exitCodes.done
}
