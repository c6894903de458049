/** `ok`; `warning`: works, but somebody should look; `broken`: does not work until somebody does. */
export type Status = "ok" | "warning" | "broken"

/** What a check found, in words, and what to do unless it is well. */
export interface Finding {
  readonly check: string
  readonly status: Status
  readonly detail: string
  readonly advice?: string
}

export const ok = (check: string, detail: string): Finding => ({ check, status: "ok", detail })

export const warning = (check: string, detail: string, advice: string): Finding => ({
  check,
  status: "warning",
  detail,
  advice
})

export const broken = (check: string, detail: string, advice: string): Finding => ({
  check,
  status: "broken",
  detail,
  advice
})
