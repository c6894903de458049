import { Effect, Result, Schema, SchemaIssue } from "effect"
import { TaskFailure } from "./TaskFailure.ts"

/**
 * A kind of task: its name and what its payload must look like. The encoded form of the payload is JSON; that is what is
 * stored and shown.
 */
export interface TaskKind<Payload = unknown> {
  /** What the queue knows the kind by, such as `store-crawl`: lower-case letters, digits and dashes. */
  readonly name: string
  readonly payload: Schema.Codec<Payload, Schema.Json>
}

/** The payload does not fit its kind. `message` says where and why. */
export class PayloadMismatch extends Schema.TaggedError<PayloadMismatch>()("PayloadMismatch", {
  message: Schema.String
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

const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1()

const describe = (issue: SchemaIssue.Issue): string =>
  formatIssue(issue)
    .issues.map(({ message, path = [] }) => [path.map(String).join("."), message].filter(Boolean).join(": "))
    .join("; ")

/** Reads a payload. Fields that the kind does not know are left out. */
export const decode = <Payload>(
  kind: TaskKind<Payload>,
  payload: unknown
): Result.Result<Payload, PayloadMismatch> =>
  Schema.decodeUnknownResult(kind.payload)(payload, { errors: "all" }).pipe(
    Result.mapError(
      (error) =>
        new PayloadMismatch({
          message: `The payload does not fit the kind ${kind.name}: ${describe(error.issue)}`
        })
    )
  )

/** Brings a payload into the form that is stored. */
export const normalize = <Payload>(
  kind: TaskKind<Payload>,
  payload: unknown
): Result.Result<Schema.Json, PayloadMismatch> =>
  Result.map(decode(kind, payload), (decoded) => Schema.encodeSync(kind.payload)(decoded))

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
