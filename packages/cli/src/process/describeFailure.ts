import { Cause, Predicate } from "effect"
import { visibleText } from "../terminal/visibleText.ts"

const messageOf = (error: unknown): string =>
  Predicate.hasProperty(error, "message") && typeof error.message === "string" ? error.message : String(error)

/** Errors that say what failed and leave it to their cause to say why. */
const unexplained = ["CommandFailed", "ClickStoreError", "ClickAnalyticsError", "PortError", "SqlError"]

/** The error at the bottom of a chain of causes: what the operating system or the database said. */
const rootOf = (error: unknown): unknown => {
  for (const property of ["reason", "cause"]) {
    const deeper = Predicate.hasProperty(error, property) ? error[property] : undefined
    if (Predicate.isObject(deeper)) return rootOf(deeper)
  }
  return error
}

/** What was tried at several addresses fails with an error that has no words of its own. */
const firstOf = (error: unknown): unknown =>
  error instanceof AggregateError && error.message === "" ? error.errors[0] : error

/** What failed and, where the error does not say so itself, why. One line. */
export const whyOf = (error: unknown): string => {
  const message = messageOf(error)
  const root = messageOf(firstOf(rootOf(error)))
  if (message === "") return visibleText(root)
  return visibleText(root === "" || message.includes(root) ? message : `${message}: ${root}`)
}

/** One line for the person at the terminal: what failed and, where the error does not say so itself, why. */
export const describeFailure = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  const isUnexplained = unexplained.some((tag) => Predicate.isTagged(error, tag))
  return isUnexplained ? whyOf(error) : visibleText(messageOf(error))
}
