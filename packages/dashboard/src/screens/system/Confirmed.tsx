import { useState } from "preact/hooks"
import type { Changing } from "./useChange.ts"

interface ConfirmedProps {
  readonly title: string
  /** What the button does it to. */
  readonly label: string
  readonly changing: Changing
  readonly change: () => Promise<unknown>
}

/** A button for what cannot be undone: the second press does it. */
export const Confirmed = ({ change, changing, label, title }: ConfirmedProps) => {
  const [isAsked, setIsAsked] = useState(false)
  const press = () => {
    if (isAsked) changing.run(change)
    setIsAsked(!isAsked)
  }
  return (
    <button
      type="button"
      class={isAsked ? "danger" : ""}
      disabled={changing.isBusy}
      aria-label={isAsked ? `Really ${title.toLowerCase()} ${label}?` : `${title} ${label}`}
      onClick={press}
      onBlur={() => setIsAsked(false)}
    >
      {isAsked ? `Really ${title.toLowerCase()}?` : title}
    </button>
  )
}
