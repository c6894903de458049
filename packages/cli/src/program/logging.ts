import { Effect, Layer, Logger, type LogLevel, Option, References } from "effect"
import { Settings } from "../Settings.ts"
import type { LogFormat } from "./settingValues.ts"
import { visibleText } from "./visibleText.ts"

/** Whether a command serves until it is stopped, and so writes a log, or does one thing and says at most a sentence. */
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

const loggerFor = (kind: CommandKind, format: Option.Option<LogFormat>) => {
  if (Option.isSome(format)) return loggers[format.value]
  if (kind === "task") return Logger.withConsoleError(sentence)
  return process.stderr.isTTY ? loggers.pretty : loggers.logfmt
}

const defaultLevel: Readonly<Record<CommandKind, LogLevel.LogLevel>> = { service: "Info", task: "Warn" }

/** Logs to standard error as `LOG_FORMAT` and `LOG_LEVEL` say. */
export const layer = (kind: CommandKind): Layer.Layer<never, never, Settings> =>
  Layer.unwrap(
    Effect.map(Settings, ({ logFormat, logLevel }) =>
      Layer.mergeAll(
        Logger.layer([loggerFor(kind, logFormat)]),
        Layer.succeed(Logger.LogToStderr, true),
        Layer.succeed(
          References.MinimumLogLevel,
          Option.getOrElse(logLevel, () => defaultLevel[kind])
        )
      )
    )
  )
