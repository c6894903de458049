import { Effect, Schedule } from "effect"

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
