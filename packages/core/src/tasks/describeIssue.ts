import { SchemaIssue } from "effect"

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** What is wrong first, with where it stands: `tasks.0.kind: Missing key`. Values are not repeated. */
export const describeIssue = (issue: SchemaIssue.Issue): string => {
  const [first] = format(issue).issues
  if (first === undefined) return "is not understood"
  const path = (first.path ?? []).map((segment) =>
    String(typeof segment === "object" ? segment.key : segment)
  )
  return path.length === 0 ? first.message : `${path.join(".")}: ${first.message}`
}
