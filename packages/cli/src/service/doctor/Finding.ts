/** What a check found and, unless the status is `ok`, what to do about it. `warning`: works for now; `broken`: does not work. */
export interface Finding {
  readonly check: string
  readonly status: "ok" | "warning" | "broken"
  readonly detail: string
  readonly advice?: string
}

export const ok = (check: string, detail: string): Finding => ({ check, status: "ok", detail })

export const broken = (check: string, detail: string, advice: string): Finding => ({
  check,
  status: "broken",
  detail,
  advice
})

export const warningIf = (isWarning: boolean, check: string, detail: string, advice: string): Finding =>
  isWarning ? { check, status: "warning", detail, advice } : ok(check, detail)
