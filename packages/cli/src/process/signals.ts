import { constants } from "node:os"
import { Fiber, Schedule } from "effect"
import * as Effect from "effect/Effect"

// npm and the launcher pass a signal on that the terminal has sent to the whole group already: twice in this time is once.
const sameSignalMillis = 300

/** Does what a SIGTERM does, where one was meant for this process and did not reach it. */
export const stopAsBySignal: Effect.Effect<void> = Effect.sync(() => void process.emit("SIGTERM", "SIGTERM"))

/**
 * Interrupts the fiber at the first SIGINT, SIGTERM or SIGHUP; a second one ends the process at once. Returns the exit code
 * that tells of the signal: 128 and its number.
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
  process.on("SIGINT", onSignal)
  process.on("SIGTERM", onSignal)
  process.on("SIGHUP", onSignal)
  return () => first?.code ?? 130
}

// A quarter of a second more before a stop is not felt, and two looks at a number a second cost nothing.
const look = Schedule.spaced("500 millis")

/**
 * Waits until the process that started this one has ended. `npm start` and npx run a command in a shell, and a SIGTERM that
 * they get ends that shell without reaching what the shell runs: then having another parent is the only sign.
 */
export const parentGone: Effect.Effect<void> = Effect.suspend(() => {
  const parent = process.ppid
  return Effect.repeat(
    Effect.sync(() => process.ppid !== parent),
    { schedule: look, until: (gone) => gone }
  )
}).pipe(Effect.asVoid)
