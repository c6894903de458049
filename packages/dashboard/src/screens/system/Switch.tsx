import type { Changing } from "./useChange.ts"

interface SwitchProps {
  /** A statement that is true while the switch is on, such as "10.0.0.1 is trusted". */
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
