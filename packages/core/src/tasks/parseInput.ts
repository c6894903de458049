import { Predicate, Result, Schema } from "effect"
import { describeIssue } from "./describeIssue.ts"
import { InvalidTasks } from "./InvalidTasks.ts"

/** Reads what somebody sends. Fails with a sentence about the first field that cannot be understood. */
export const parseInput = <A, I>(
  schema: Schema.Codec<A, I>,
  input: unknown
): Result.Result<A, InvalidTasks> => {
  if (!Predicate.isObject(input) || Array.isArray(input)) {
    return Result.fail(new InvalidTasks({ message: "The body must be a JSON object" }))
  }
  return Result.mapError(
    Schema.decodeUnknownResult(schema)(input),
    ({ issue }) => new InvalidTasks({ message: describeIssue(issue) })
  )
}
