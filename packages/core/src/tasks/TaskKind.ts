import { Effect, Result, Schema } from "effect"
import * as Input from "../values/InvalidInput.ts"

/** A kind of task: its name and the schema of its payload. The encoded form of the payload is JSON, which is stored and shown to users. */
export interface TaskKind<Payload = unknown> {
  /** The unique name of the kind, such as `store-crawl`: lower-case letters, digits and dashes. */
  readonly name: string
  readonly payload: Schema.Codec<Payload, Schema.Json>
}

/**
 * The reason why a handler failed. `message` is a sentence for the operator. It is stored, so it must not contain secrets or internals.
 * `cause` is only logged. If `retryable` is false (an invalid payload, a missing setting), the task fails permanently at once.
 */
export class TaskFailure extends Schema.TaggedError<TaskFailure>()("TaskFailure", {
  message: Schema.String,
  retryable: Schema.Boolean,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

/** The second argument of a handler, beside the payload. */
export interface TaskRun {
  readonly id: string
  /** The number of this attempt, from 1. */
  readonly attempt: number
  readonly maxAttempts: number
}

/** Runs tasks of a kind. It may be interrupted at any time and run again, so it must be idempotent. */
export interface TaskHandler<R = never> {
  readonly kind: TaskKind
  readonly run: (payload: Schema.Json, run: TaskRun) => Effect.Effect<void, TaskFailure, R>
}

const namePattern = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** Declares a kind. Throws if the name is invalid, which is a programming error. */
export const make = <Payload, Encoded extends Schema.Json>(
  name: string,
  payload: Schema.Codec<Payload, Encoded>
): TaskKind<Payload> => {
  if (!namePattern.test(name) || name.length > 100)
    throw new Error(`"${name}" is not a valid name for a task kind`)
  return { name, payload }
}

const describe = (kind: TaskKind) => (reason: string) => `Invalid payload for kind ${kind.name}: ${reason}`

/** Decodes a payload. Unknown fields are dropped. */
export const decode = <Payload>(
  kind: TaskKind<Payload>,
  payload: unknown
): Result.Result<Payload, Input.InvalidInput> =>
  Input.within(describe(kind))(Input.decode(kind.payload, payload))

/** The maximum length of a payload as JSON, in characters. */
export const maxPayloadLength = 65_536

// JSON writes a NUL and a lone surrogate as an escape sequence. Its backslash must not itself be escaped.
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i

/** Converts a payload to its stored form. */
export const normalize = <Payload>(
  kind: TaskKind<Payload>,
  payload: unknown
): Result.Result<Schema.Json, Input.InvalidInput> =>
  Result.flatMap(decode(kind, payload), (decoded) => {
    const encoded = Schema.encodeSync(kind.payload)(decoded)
    const json = JSON.stringify(encoded)
    if (json.length > maxPayloadLength) {
      return Input.invalid(describe(kind)(`its JSON is longer than ${maxPayloadLength} characters`))
    }
    return unstorable.test(json)
      ? Input.invalid(describe(kind)("it contains a NUL character or a lone surrogate"))
      : Result.succeed(encoded)
  })

/**
 * Declares the handler of a kind. It fails with a `TaskFailure`, whose message is stored with the task and shown to users. Any other error
 * is logged, and shown as an unexpected failure without details.
 */
export const handler = <Payload, R = never>(
  kind: TaskKind<Payload>,
  run: (payload: Payload, run: TaskRun) => Effect.Effect<void, TaskFailure, R>
): TaskHandler<R> => ({
  kind,
  run: (stored, about) =>
    Effect.fromResult(decode(kind, stored)).pipe(
      Effect.mapError(({ message }) => new TaskFailure({ message, retryable: false })),
      Effect.flatMap((payload) => run(payload, about))
    )
})
