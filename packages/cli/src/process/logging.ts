import { Effect, Layer, Logger, type LogLevel, Option, References } from "effect"
import { Settings } from "../settings/Settings.ts"
import type { LogFormat } from "../settings/settingValues.ts"
import { visibleText } from "../terminal/visibleText.ts"
import { logEntry } from "./logEntry.ts"

/** A service runs until it is stopped and writes a log; a task ends by itself and prints at most a sentence. */
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

const loggerFor = (kind: CommandKind, format: Option.Option<LogFormat>): Logger.Logger<unknown, void> => {
  if (Option.isSome(format)) return loggers[format.value]
  if (kind === "task") return Logger.withConsoleError(sentence)
  return process.stderr.isTTY ? loggers.pretty : loggers.logfmt
}

const detailed: ReadonlyArray<LogLevel.LogLevel> = ["All", "Trace", "Debug"]

/** Whether to log stack traces. */
export const isDetailed = (level: Option.Option<LogLevel.LogLevel>): boolean =>
  Option.exists(level, (given) => detailed.includes(given))

const defaultLevel: Readonly<Record<CommandKind, LogLevel.LogLevel>> = { service: "Info", task: "Warn" }

const written = (logger: Logger.Logger<unknown, void>, isDetailed: boolean) =>
  Logger.make<unknown, void>((entry) => logger.log(logEntry(entry, isDetailed)))

/** Logs to standard error according to `LOG_FORMAT` and `LOG_LEVEL`. */
export const layer = (kind: CommandKind): Layer.Layer<never, never, Settings> =>
  Layer.unwrap(
    Effect.map(Settings, ({ logFormat, logLevel }) =>
      Layer.mergeAll(
        Logger.layer([written(loggerFor(kind, logFormat), isDetailed(logLevel))]),
        Layer.succeed(Logger.LogToStderr, true),
        Layer.succeed(
          References.MinimumLogLevel,
          Option.getOrElse(logLevel, () => defaultLevel[kind])
        )
      )
    )
  )
