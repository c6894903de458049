import { inject } from "vitest"

declare module "vitest" {
  interface ProvidedContext {
    /** `long`: hundreds of faults and minutes of them; `sabotage`: on services that break their promises; otherwise some of each. */
    readonly faults?: "long" | "sabotage"
  }
}

export const isLong = inject("faults") === "long"
export const isSabotaged = inject("faults") === "sabotage"

/** What the short form and what the long form take. */
export const scale = <A>(short: A, long: A): A => (isLong ? long : short)
