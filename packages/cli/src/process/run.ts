import { Cause, Effect, Exit, Layer, type LogLevel, Runtime } from "effect"
import { type CommandResult, exitCodes } from "../CommandError.ts"
import { Settings, layer as settingsLayer } from "../settings/Settings.ts"
import { note } from "../terminal/Output.ts"
import { describeFailure } from "./describeFailure.ts"
import { type CommandKind, isDetailed, layer as loggingLayer } from "./logging.ts"
import { stopOnSignals, stopped, stopWithParent } from "./signals.ts"

const report = (cause: Cause.Cause<unknown>, level?: LogLevel.LogLevel): Effect.Effect<void> => {
  const isQuiet = Cause.hasInterruptsOnly(cause) || codeOf(Exit.failCause(cause)) === exitCodes.done
  if (isQuiet) return Effect.void
  const details = isDetailed(level) ? `\n${Cause.pretty(cause)}` : ""
  return note(`clicks: ${describeFailure(cause)}${details}`)
}

const codeOf = (exit: Exit.Exit<CommandResult, unknown>): number =>
  Exit.isSuccess(exit) ? (exit.value ?? exitCodes.done) : Runtime.getErrorExitCode(Cause.squash(exit.cause))

/**
 * Runs a command and ends the process with its exit code. Reports a failure in one line on standard error, with
 * `LOG_LEVEL=Debug` also its stack. SIGINT, SIGTERM and SIGHUP stop the command; a stopped service exits with 0.
 */
export const run = (
  command: Effect.Effect<CommandResult, unknown, Settings>,
  kind: CommandKind = "task"
): void => {
  const reported = Effect.gen(function* () {
    const { isUnderNpx, logLevel, warnings } = yield* Settings
    if (isUnderNpx) yield* stopWithParent
    for (const warning of warnings) yield* Effect.logWarning(warning)
    return yield* Effect.tapCause(command, (cause) => report(cause, logLevel)).pipe(
      Effect.onInterrupt(() => (kind === "service" ? stopped : Effect.void))
    )
  }).pipe(Effect.provide(loggingLayer(kind)))
  const main = reported.pipe(Effect.provide(settingsLayer.pipe(Layer.tapCause((cause) => report(cause)))))
  const fiber = Effect.runFork(main)
  const signalCode = stopOnSignals(fiber)
  fiber.addObserver((exit) => {
    const stoppedCode = kind === "service" ? exitCodes.done : signalCode()
    const isStopped = Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
    process.exit(isStopped ? stoppedCode : codeOf(exit))
  })
}
