import { SchemaIssue } from "effect"

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** The first problem and its path, such as `tasks.0.kind is required`. Contains no values. */
export const describeIssue = (issue: SchemaIssue.Issue): string => {
  const [first] = format(issue).issues
  if (first === undefined) return "is invalid"
  const path = (first.path ?? []).map((segment) =>
    String(typeof segment === "object" ? segment.key : segment)
  )
  if (path.length === 0) return first.message
  return first.message === "Missing key"
    ? `${path.join(".")} is required`
    : `${path.join(".")}: ${first.message}`
}
