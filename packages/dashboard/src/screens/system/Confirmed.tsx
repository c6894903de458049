import { useState } from "preact/hooks"

interface ConfirmedProps {
  readonly title: string
  /** What the button does it to. */
  readonly label: string
  readonly disabled: boolean
  readonly run: () => void
}

/** A button for what cannot be undone: the second press does it. */
export const Confirmed = ({ disabled, label, run, title }: ConfirmedProps) => {
  const [isAsked, setIsAsked] = useState(false)
  const press = () => {
    if (isAsked) run()
    setIsAsked(!isAsked)
  }
  return (
    <button
      type="button"
      class={isAsked ? "danger" : ""}
      disabled={disabled}
      aria-label={isAsked ? `Really ${title.toLowerCase()} ${label}?` : `${title} ${label}`}
      onClick={press}
      onBlur={() => setIsAsked(false)}
    >
      {isAsked ? `Really ${title.toLowerCase()}?` : title}
    </button>
  )
}
