import { Effect, Result, Schema } from "effect"
import * as Input from "../values/InvalidInput.ts"

/**
 * A kind of task: its name and what its payload must look like. The encoded form of the payload is JSON; that is what is
 * stored and shown.
 */
export interface TaskKind<Payload = unknown> {
  /** What the queue knows the kind by, such as `store-crawl`: lower-case letters, digits and dashes. */
  readonly name: string
  readonly payload: Schema.Codec<Payload, Schema.Json>
}

/**
 * Why a handler could not do its task. `message` is a sentence for the operator and is stored: it names no secret and no
 * internals. `cause` goes to the log only. What is not `retryable` (a wrong payload, a missing setting) fails for good at once.
 */
export class TaskFailure extends Schema.TaggedError<TaskFailure>()("TaskFailure", {
  message: Schema.String,
  retryable: Schema.Boolean,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

/** What a handler is told about the task beside its payload. */
export interface TaskRun {
  readonly id: string
  /** Which attempt this is, from 1. */
  readonly attempt: number
  readonly maxAttempts: number
}

/** What is done for a kind. It may be interrupted at any time and run again: it must bear being repeated. */
export interface TaskHandler<R = never> {
  readonly kind: TaskKind
  readonly run: (payload: Schema.Json, run: TaskRun) => Effect.Effect<void, TaskFailure, R>
}

const namePattern = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** Declares a kind. Dies when the name is not one: that is a mistake in the program. */
export const make = <Payload, Encoded extends Schema.Json>(
  name: string,
  payload: Schema.Codec<Payload, Encoded>
): TaskKind<Payload> => {
  if (!namePattern.test(name) || name.length > 100) throw new Error(`"${name}" is no name for a task kind`)
  return { name, payload }
}

const describe = (kind: TaskKind) => (reason: string) => `Invalid payload for kind ${kind.name}: ${reason}`

/** Reads a payload. Fields that the kind does not know are left out. */
export const decode = <Payload>(
  kind: TaskKind<Payload>,
  payload: unknown
): Result.Result<Payload, Input.InvalidInput> =>
  Input.within(describe(kind))(Input.decode(kind.payload, payload))

/** What a payload may take as JSON, in characters. */
export const maxPayloadLength = 65_536

// JSON writes a NUL and a lone surrogate as an escape, which here does not follow a backslash that is itself escaped.
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i

/** Brings a payload into the form that is stored. */
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
 * Says what is done for a kind. The handler fails with a `TaskFailure`, whose message is kept with the task and shown; what
 * else goes wrong is logged and shown as an unexpected failure without details.
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
