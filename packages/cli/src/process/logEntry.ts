import { Cause, type Logger, Predicate } from "effect"
import { whyOf } from "./describeFailure.ts"

// Who logs an error beside a sentence means it as the cause.
const withErrorsAsCause = (entry: Logger.Options<unknown>): Logger.Options<unknown> => {
  const parts = Array.isArray(entry.message) ? entry.message : [entry.message]
  const errors = parts.filter((part) => part instanceof Error)
  if (errors.length === 0) return entry
  const reasons = errors.map((error) => Cause.makeFailReason<unknown>(error))
  return {
    ...entry,
    message: parts.filter((part) => !(part instanceof Error)),
    cause: Cause.fromReasons([...entry.cause.reasons, ...reasons])
  }
}

const inOneLine = (reason: Cause.Reason<unknown>): Cause.Reason<unknown> =>
  Cause.isFailReason(reason) &&
  Predicate.hasProperty(reason.error, "_tag") &&
  typeof reason.error._tag === "string"
    ? Cause.makeFailReason({ name: reason.error._tag, message: whyOf(reason.error) })
    : reason

/**
 * A log entry as it is written. An error that was foreseen, and so has a tag, is one line: what failed, and why at the
 * bottom of it. Only bugs show where they came from, unless `isDetailed`.
 */
export const logEntry = (entry: Logger.Options<unknown>, isDetailed: boolean): Logger.Options<unknown> => {
  const whole = withErrorsAsCause(entry)
  return isDetailed ? whole : { ...whole, cause: Cause.fromReasons(whole.cause.reasons.map(inOneLine)) }
}
