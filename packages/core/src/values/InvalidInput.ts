import { Result, Schema, SchemaIssue } from "effect"

/** Invalid input. `message` says what is wrong with it and what it must be. */
export class InvalidInput extends Schema.TaggedError<InvalidInput>()("InvalidInput", {
  message: Schema.String
}) {}

export const invalid = (message: string): Result.Result<never, InvalidInput> =>
  Result.fail(new InvalidInput({ message }))

/** Describes the failure of a part as a failure of the whole. */
export const within =
  (describe: (message: string) => string) =>
  <A>(result: Result.Result<A, InvalidInput>): Result.Result<A, InvalidInput> =>
    Result.mapError(result, ({ message }) => new InvalidInput({ message: describe(message) }))

// Enough of a value to recognise it; a URL may carry 16 KiB.
const shown = 60

/** Quotes a value for an error message, shortened. */
export const quote = (text: string): string =>
  JSON.stringify(text.length > shown ? `${text.slice(0, shown)}…` : text)

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** The first problem and its path, such as `tasks.0.kind is required`. Contains no values. */
export const describeIssue = (issue: SchemaIssue.Issue): string => {
  const [first] = format(issue).issues
  if (first === undefined) return "is invalid"
  const path = (first.path ?? []).map((part) => String(typeof part === "object" ? part.key : part)).join(".")
  if (path === "") return first.message
  if (first.message === "Missing key") return `${path} is required`
  return first.message.startsWith("must ") ? `${path} ${first.message}` : `${path}: ${first.message}`
}

/** Decodes a value. Fails with the first problem and its path. */
export const decode = <A>(
  schema: Schema.ConstraintDecoder<A>,
  value: unknown
): Result.Result<A, InvalidInput> =>
  Result.mapError(
    Schema.decodeUnknownResult(schema)(value),
    ({ issue }) => new InvalidInput({ message: describeIssue(issue) })
  )
