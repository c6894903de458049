import { Effect, Option, type Result } from "effect"
import { BadRequest, Conflict, NotFound } from "./errors.ts"

interface Expected {
  readonly message: string
}

/** Answers 400 with the message of an error. */
export const badRequest = ({ message }: Expected) => Effect.fail(new BadRequest({ error: message }))

/** Answers 404 with the message of an error. */
export const notFound = ({ message }: Expected) => Effect.fail(new NotFound({ error: message }))

/** Answers 409 with the message of an error. */
export const conflict = ({ message }: Expected) => Effect.fail(new Conflict({ error: message }))

/** The parsed input, or 400. */
export const orBadRequest = <A>(parsed: Result.Result<A, Expected>): Effect.Effect<A, BadRequest> =>
  Effect.catch(Effect.fromResult(parsed), badRequest)

/** What was found, or 404. `what` names it, such as `task 7f3c2a`. */
export const orNotFound =
  (what: string) =>
  <A, E, R>(self: Effect.Effect<Option.Option<A>, E, R>): Effect.Effect<A, E | NotFound, R> =>
    Effect.flatMap(self, (found) =>
      Option.isSome(found) ? Effect.succeed(found.value) : notFound({ message: `There is no ${what}` })
    )
