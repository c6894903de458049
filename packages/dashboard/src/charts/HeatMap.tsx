import { useState } from "preact/hooks"
import { weekdays } from "../state/dates.ts"
import { count } from "../state/format.ts"

const cell = 24
const gap = 2
const left = 40
const top = 20
const hours = 24
const levels = 6

interface Focus {
  readonly day: number
  readonly hour: number
}

const moves: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0]
}

const clamp = (value: number, most: number): number => Math.min(Math.max(value, 0), most)

const shadeOf = (level: number, isFocused = false) => ({
  class: `${level === 0 ? "none" : ""} ${isFocused ? "focus" : ""}`,
  opacity: level === 0 ? 1 : level / levels
})

/** The name of an hour of the week: Monday 09:00. */
export const hourName = (day: number, hour: number): string =>
  `${weekdays[day]} ${String(hour).padStart(2, "0")}:00`

/** Clicks by weekday and hour; more is darker. Arrow keys move through the hours. `values`: seven days of 24 hours, Monday first. */
export const HeatMap = ({
  values,
  label
}: {
  readonly values: ReadonlyArray<number>
  readonly label: string
}) => {
  const [focus, setFocus] = useState<Focus | undefined>(undefined)
  const most = Math.max(1, ...values)
  const valueAt = (day: number, hour: number) => values[day * hours + hour] ?? 0
  // With the square root, one burst of clicks does not make all other hours look the same.
  const levelOf = (value: number) => Math.ceil(Math.sqrt(value / most) * levels)
  const onKeyDown = (event: KeyboardEvent) => {
    const move = moves[event.key]
    if (move === undefined) return
    event.preventDefault()
    const { day, hour } = focus ?? { day: 0, hour: -1 }
    setFocus({ day: clamp(day + move[0], 6), hour: clamp(hour + move[1], hours - 1) })
  }
  return (
    <figure class="heat-map">
      <figcaption>
        <span class="legend">
          none
          <svg viewBox={`0 0 ${(levels + 1) * 16} 14`} aria-hidden="true">
            {Array.from({ length: levels + 1 }, (_, level) => (
              <rect key={level} {...shadeOf(level)} x={level * 16} width="14" height="14" rx="3" />
            ))}
          </svg>
          {count(most)}
        </span>
        <output class="readout">
          {focus && `${hourName(focus.day, focus.hour)}: ${count(valueAt(focus.day, focus.hour))} clicks`}
        </output>
      </figcaption>
      <section
        class="scroll"
        aria-label={`${label}. Use the arrow keys to read the values`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys need the focus
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <svg viewBox={`0 0 ${left + hours * (cell + gap)} ${top + 7 * (cell + gap)}`} aria-hidden="true">
          {Array.from({ length: 12 }, (_, index) => (
            <text key={index} x={left + index * 2 * (cell + gap) + cell / 2} y={top - 7} text-anchor="middle">
              {index * 2}
            </text>
          ))}
          {weekdays.map((name, day) => (
            <g key={name}>
              <text x={left - 8} y={top + day * (cell + gap) + cell / 2 + 4} text-anchor="end">
                {name.slice(0, 3)}
              </text>
              {Array.from({ length: hours }, (_, hour) => (
                <rect
                  key={hour}
                  {...shadeOf(levelOf(valueAt(day, hour)), focus?.day === day && focus.hour === hour)}
                  x={left + hour * (cell + gap)}
                  y={top + day * (cell + gap)}
                  width={cell}
                  height={cell}
                  rx="4"
                  onPointerEnter={() => setFocus({ day, hour })}
                />
              ))}
            </g>
          ))}
        </svg>
      </section>
    </figure>
  )
}
