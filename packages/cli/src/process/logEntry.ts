import { Cause, type Logger, Predicate } from "effect"
import { whyOf } from "./describeFailure.ts"

// An error that is logged with a message is its cause.
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
 * A log entry as it is written. An expected error, which has a tag, becomes one line: what failed and the root cause. Only
 * defects keep their stack, unless `isDetailed`.
 */
export const logEntry = (entry: Logger.Options<unknown>, isDetailed: boolean): Logger.Options<unknown> => {
  const whole = withErrorsAsCause(entry)
  return isDetailed ? whole : { ...whole, cause: Cause.fromReasons(whole.cause.reasons.map(inOneLine)) }
}
