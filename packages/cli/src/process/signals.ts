import { constants } from "node:os"
import { Fiber, Schedule } from "effect"
import * as Effect from "effect/Effect"

// npm and the launcher forward a signal that the terminal has already sent to the whole process group. Signals within this
// time count as one.
const sameSignalMillis = 300

/**
 * Interrupts the fiber at the first SIGINT, SIGTERM or SIGHUP; a second signal ends the process at once. Returns the exit code
 * of the signal: 128 plus its number.
 */
export const stopOnSignals = <A, E>(fiber: Fiber.Fiber<A, E>): (() => number) => {
  let first: { readonly at: number; readonly code: number } | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    const now = Date.now()
    const code = 128 + constants.signals[signal]
    if (first === undefined) {
      first = { at: now, code }
      Effect.runFork(Fiber.interrupt(fiber))
    } else if (now - first.at > sameSignalMillis) process.exit(code)
  }
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, onSignal)
  return () => first?.code ?? 130
}

/** Announces that a service is ready and waits for a signal. Then logs `shutdown`, the work that remains before the service stops. */
export const untilStopped = <E, R>(announce: Effect.Effect<void, E, R>, shutdown: string) =>
  Effect.onInterrupt(Effect.andThen(announce, Effect.never), () =>
    Effect.logInfo(`Stopping: ${shutdown}. Another signal stops at once`)
  )

/** The last log line of a stopped service. */
export const stopped = Effect.logInfo("Stopped")

/**
 * Stops as on SIGTERM when the parent process exits. `npm start` and npx run a command in a shell. A SIGTERM to them ends the
 * shell and does not reach the command, which can only notice that it has a new parent.
 */
export const stopWithParent = Effect.suspend(() => {
  const parent = process.ppid
  return Effect.sync(() => process.ppid !== parent).pipe(
    Effect.repeat({ schedule: Schedule.spaced("500 millis"), until: (isGone) => isGone }),
    Effect.andThen(Effect.sync(() => process.emit("SIGTERM", "SIGTERM")))
  )
}).pipe(Effect.forkChild, Effect.asVoid)
