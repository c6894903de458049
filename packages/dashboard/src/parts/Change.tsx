import { change, points, rounded } from "../state/format.ts"

const directionOf = (value: number): string => (value > 0 ? "up" : value < 0 ? "down" : "same")

const marks: Readonly<Record<string, string>> = { up: "▲", down: "▼", same: "=" }

interface ChangeProps {
  /** Null if there is nothing to compare with. */
  readonly value: number | null
  readonly isNew?: boolean
  /** Whether the value is the difference of two percentages. */
  readonly inPoints?: boolean
}

/** A change, shown by sign, colour and arrow. */
export const Change = ({ inPoints = false, isNew = false, value }: ChangeProps) => {
  if (value === null) return <span class="change same">{isNew ? "new" : "–"}</span>
  const direction = directionOf(rounded(value))
  return (
    <span class={`change ${direction}`}>
      <span aria-hidden="true">{marks[direction]}</span> {inPoints ? points(value) : change(value)}
    </span>
  )
}
