import { useState } from "preact/hooks"
import type { Changing } from "./useChange.ts"

interface ConfirmedProps {
  readonly title: string
  /** The object of the action, such as "the key of anna". */
  readonly label: string
  readonly changing: Changing
  readonly change: () => Promise<unknown>
}

/** A button for an action that cannot be undone. The first press asks for confirmation, the second acts. */
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
