import { Cause, Effect, Exit, Layer, type LogLevel, Option, Runtime } from "effect"
import { type ExitCode, exitCodes } from "../CommandError.ts"
import { Settings, layer as settingsLayer, warnOfUnknownSettings } from "../settings/Settings.ts"
import { note } from "../terminal/Output.ts"
import { describeFailure } from "./describeFailure.ts"
import { type CommandKind, isDetailed, layer as loggingLayer } from "./logging.ts"
import { parentGone, stopAsBySignal, stopOnSignals } from "./signals.ts"

const report = (
  cause: Cause.Cause<unknown>,
  level: Option.Option<LogLevel.LogLevel>
): Effect.Effect<void> => {
  const isQuiet = Cause.hasInterruptsOnly(cause) || codeOf(Exit.failCause(cause)) === exitCodes.done
  if (isQuiet) return Effect.void
  const details = isDetailed(level) ? `\n${Cause.pretty(cause)}` : ""
  return note(`clicks: ${describeFailure(cause)}${details}`)
}

const codeOf = (exit: Exit.Exit<ExitCode, unknown>): number =>
  Exit.isSuccess(exit) ? exit.value : Runtime.getErrorExitCode(Cause.squash(exit.cause))

/**
 * Runs a command to its end and ends the process with its exit code. What fails is told in one line on standard error,
 * with `LOG_LEVEL=Debug` also where it came from. SIGINT and SIGTERM stop the command; a service that stops has done its work.
 */
export const run = (
  command: Effect.Effect<ExitCode, unknown, Settings>,
  kind: CommandKind = "task"
): void => {
  const reported = Effect.gen(function* () {
    const { isUnderNpx, logLevel } = yield* Settings
    if (isUnderNpx) yield* Effect.forkChild(Effect.andThen(parentGone, stopAsBySignal))
    yield* warnOfUnknownSettings
    return yield* Effect.tapCause(command, (cause) => report(cause, logLevel))
  }).pipe(Effect.provide(loggingLayer(kind)))
  const main = reported.pipe(
    Effect.provide(settingsLayer.pipe(Layer.tapCause((cause) => report(cause, Option.none()))))
  )
  const fiber = Effect.runFork(main)
  const stopped = stopOnSignals(fiber)
  fiber.addObserver((exit) => {
    const signalCode = kind === "service" ? exitCodes.done : stopped()
    const isStopped = Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
    process.exit(isStopped ? signalCode : codeOf(exit))
  })
}
