import { Effect, Option, type Result } from "effect"
import { BadRequest, Conflict, NotFound } from "./errors.ts"

// The responses to core's expected errors. All other errors are defects: `EndpointRules` logs them and responds with 500.
const answers = {
  InvalidInput: BadRequest,
  UnknownStore: NotFound,
  RepeatedTrustedOrigin: Conflict,
  TaskStateConflict: Conflict
} as const

type Tag = keyof typeof answers
type Expected = { readonly [Name in Tag]: { readonly _tag: Name; readonly message: string } }[Tag]
type AnswerTo<E> = E extends Expected ? InstanceType<(typeof answers)[E["_tag"]]> : never

const isExpected = (error: { readonly _tag: string }): error is Expected => Object.hasOwn(answers, error._tag)

/** Responds to core's expected errors with their own messages. */
export const answered = <A, E extends { readonly _tag: string }, R>(
  self: Effect.Effect<A, E, R>
): Effect.Effect<A, AnswerTo<E>, R> =>
  Effect.catch(self, (error) =>
    isExpected(error)
      ? Effect.fail(new answers[error._tag]({ error: error.message }) as AnswerTo<E>)
      : Effect.die(error)
  )

interface Described {
  readonly message: string
}

/** Fails with 400 and the message of an error. */
export const badRequest = ({ message }: Described) => Effect.fail(new BadRequest({ error: message }))

/** The parsed input, or 400. */
export const orBadRequest = <A>(parsed: Result.Result<A, Described>): Effect.Effect<A, BadRequest> =>
  Effect.catch(Effect.fromResult(parsed), badRequest)

/** The value, or 404. `what` names it, such as `task 7f3c2a`. */
export const orNotFound =
  (what: string) =>
  <A, E, R>(self: Effect.Effect<Option.Option<A>, E, R>): Effect.Effect<A, E | NotFound, R> =>
    Effect.flatMap(self, (found) =>
      Option.isSome(found) ? Effect.succeed(found.value) : new NotFound({ error: `There is no ${what}` })
    )
