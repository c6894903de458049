import { Cause, Layer, Logger, type LogLevel, Predicate, References } from "effect"
import { type Settings, withSettings } from "../settings/Settings.ts"
import type { LogFormat } from "../settings/settingValues.ts"
import { visibleText } from "../terminal/visibleText.ts"
import { messageWithCause } from "./describeFailure.ts"

/** A service runs until it is stopped, and writes a log. A task ends by itself, and writes each log entry as one sentence. */
export type CommandKind = "service" | "task"

const sentence = Logger.make<unknown, string>(({ message }) => {
  const parts = Array.isArray(message) ? message : [message]
  return `clicks: ${parts
    .filter((part) => typeof part === "string")
    .map(visibleText)
    .join(" ")}`
})

const loggers: Readonly<Record<LogFormat, Logger.Logger<unknown, void>>> = {
  pretty: Logger.consolePretty(),
  json: Logger.withConsoleError(Logger.formatJson),
  logfmt: Logger.withConsoleError(Logger.formatLogFmt)
}

const loggerFor = (kind: CommandKind, format: LogFormat | undefined): Logger.Logger<unknown, void> => {
  if (format !== undefined) return loggers[format]
  if (kind === "task") return Logger.withConsoleError(sentence)
  return process.stderr.isTTY ? loggers.pretty : loggers.logfmt
}

const detailed: ReadonlyArray<LogLevel.LogLevel> = ["All", "Trace", "Debug"]

/** Whether to log stack traces. */
export const isDetailed = (level: LogLevel.LogLevel | undefined): boolean =>
  level !== undefined && detailed.includes(level)

const defaultLevel: Readonly<Record<CommandKind, LogLevel.LogLevel>> = { service: "Info", task: "Warn" }

// An error that is logged together with a message becomes the cause of the entry.
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
    ? Cause.makeFailReason({ name: reason.error._tag, message: messageWithCause(reason.error) })
    : reason

/**
 * The log entry to write. An expected error, which has a tag, becomes one line: what failed and the root cause. Only defects
 * keep their stack, unless `isDetailed`.
 */
export const logEntry = (entry: Logger.Options<unknown>, isDetailed: boolean): Logger.Options<unknown> => {
  const whole = withErrorsAsCause(entry)
  return isDetailed ? whole : { ...whole, cause: Cause.fromReasons(whole.cause.reasons.map(inOneLine)) }
}

/** Logs to standard error according to `LOG_FORMAT` and `LOG_LEVEL`. */
export const layer = (kind: CommandKind): Layer.Layer<never, never, Settings> =>
  withSettings(({ logFormat, logLevel }) => {
    const logger = loggerFor(kind, logFormat)
    const written = Logger.make<unknown, void>((entry) => logger.log(logEntry(entry, isDetailed(logLevel))))
    return Layer.mergeAll(
      Logger.layer([written]),
      Layer.succeed(Logger.LogToStderr, true),
      Layer.succeed(References.MinimumLogLevel, logLevel ?? defaultLevel[kind])
    )
  })
