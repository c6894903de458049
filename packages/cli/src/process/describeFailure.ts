import { Cause, Predicate } from "effect"
import { visibleText } from "../terminal/visibleText.ts"

const messageOf = (error: unknown): string =>
  Predicate.hasProperty(error, "message") && typeof error.message === "string" ? error.message : String(error)

/** Errors whose cause, not message, contains the reason. */
const unexplained = ["CommandFailed", "ClickStoreError", "ClickAnalyticsError", "PortError", "SqlError"]

/** The root cause: the error of the operating system or the database. */
const rootOf = (error: unknown): unknown => {
  for (const property of ["reason", "cause"]) {
    const deeper = Predicate.hasProperty(error, property) ? error[property] : undefined
    if (Predicate.isObject(deeper)) return rootOf(deeper)
  }
  return error
}

// When connecting to several addresses fails, the `AggregateError` has no message.
const firstOf = (error: unknown): unknown =>
  error instanceof AggregateError && error.message === "" ? error.errors[0] : error

/** The message of an error and, unless the message contains it, the root cause. One line. */
export const messageWithCause = (error: unknown): string => {
  const message = messageOf(error)
  const root = messageOf(firstOf(rootOf(error)))
  if (message === "") return visibleText(root)
  return visibleText(root === "" || message.includes(root) ? message : `${message}: ${root}`)
}

/** One line for the user: what failed and why. */
export const describeFailure = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  const isUnexplained = unexplained.some((tag) => Predicate.isTagged(error, tag))
  return isUnexplained ? messageWithCause(error) : visibleText(messageOf(error))
}
