import { Result, Schema } from "effect"

/** The parameters as they are typed: in a URL or on a command line. An empty one is absent. */
export type ClickQueryParameters = Readonly<Record<string, string | undefined>>

/** A parameter is invalid. `message` names it and says what it must be. */
export class InvalidClickQuery extends Schema.TaggedError<InvalidClickQuery>()("InvalidClickQuery", {
  message: Schema.String
}) {}

export const invalid = (message: string): Result.Result<never, InvalidClickQuery> =>
  Result.fail(new InvalidClickQuery({ message }))

// Enough of a value to recognise it; a URL may carry 16 KiB.
const shown = 60

/** A value as an error message quotes it. */
export const quote = (text: string): string =>
  JSON.stringify(text.length > shown ? `${text.slice(0, shown)}…` : text)
