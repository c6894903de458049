import { inject } from "vitest"

declare module "vitest" {
  interface ProvidedContext {
    /** `long`: hundreds of faults, some of minutes. `sabotage`: services that break their promises. Undefined: a few of each fault. */
    readonly faults?: "long" | "sabotage"
  }
}

export const isLong = inject("faults") === "long"
export const isSabotaged = inject("faults") === "sabotage"

/** Selects the value for the short or the long form. */
export const scale = <A>(short: A, long: A): A => (isLong ? long : short)
