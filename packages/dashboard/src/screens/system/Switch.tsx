import type { Changing } from "./useChange.ts"

interface SwitchProps {
  /** What is true while it is on. */
  readonly label: string
  readonly isOn: boolean
  readonly changing: Changing
  readonly set: (isOn: boolean) => Promise<unknown>
}

/** Enables or disables something. */
export const Switch = ({ changing: { isBusy, run }, isOn, label, set }: SwitchProps) => (
  <button
    type="button"
    disabled={isBusy}
    aria-pressed={isOn}
    aria-label={label}
    onClick={() => run(() => set(!isOn))}
  >
    {isOn ? "Enabled" : "Disabled"}
  </button>
)
