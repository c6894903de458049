import { useEffect, useRef, useState } from "preact/hooks"
import { isDark } from "../state/theme.ts"
import type { draw, Interval } from "./plot.ts"

interface TimeChartProps {
  readonly label: string
  /** The start of each bucket, as ISO instants. */
  readonly buckets: ReadonlyArray<string>
  readonly values: ReadonlyArray<number>
  readonly previous: ReadonlyArray<number> | undefined
  /** The names of the two lines. */
  readonly names?: readonly [string, string]
  /** Whether the last bucket is not over. */
  readonly isOpen: boolean
  readonly interval: Interval
  readonly timeZone: string
  /** Describes a bucket, for screen readers and for the text above the chart. */
  readonly describe: (index: number) => string
}

/** Loads the drawing code while the figures of a chart are loading. */
export const useChartSoon = (): void => {
  // The chart shows a failure.
  useEffect(() => void import("./plot.ts").catch(() => {}), [])
}

/** The index that a key moves to; undefined for other keys. */
const movedBy = (key: string, index: number, length: number): number | undefined => {
  const target = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: length - 1 }[key]
  return target === undefined ? undefined : Math.min(Math.max(target, 0), length - 1)
}

/** A value over time as a line, and `previous`, the compared or second value, as a dashed line. Arrow keys move through the buckets. */
export const TimeChart = (props: TimeChartProps) => {
  const { buckets, describe, interval, isOpen, label, previous, timeZone, values } = props
  const [name, otherName] = props.names ?? ["this period", "compared period"]
  const place = useRef<HTMLElement>(null)
  const drawn = useRef<ReturnType<typeof draw>>(undefined)
  const [index, setIndex] = useState<number | undefined>(undefined)
  const [cannotDraw, setCannotDraw] = useState(false)
  const dark = isDark.value
  const content = JSON.stringify([buckets, values, previous, isOpen, timeZone])
  useEffect(() => {
    let isGone = false
    const drawNow = (module: { readonly draw: typeof draw }) => {
      if (isGone || place.current === null) return
      const times = buckets.map((bucket) => Date.parse(bucket) / 1000)
      drawn.current = module.draw(place.current, {
        times,
        values,
        previous,
        isOpen,
        interval,
        timeZone,
        onPoint: setIndex
      })
    }
    import("./plot.ts").then(drawNow).catch(() => setCannotDraw(true))
    return () => {
      isGone = true
      drawn.current?.remove()
      drawn.current = undefined
    }
  }, [content, dark])

  const onKeyDown = (event: KeyboardEvent) => {
    const next = movedBy(
      event.key,
      index ?? (event.key === "ArrowLeft" ? buckets.length : -1),
      buckets.length
    )
    if (next === undefined) return
    event.preventDefault()
    setIndex(next)
    drawn.current?.pointAt(next)
  }
  return (
    <figure class="time-chart">
      <figcaption>
        <span class="legend">
          <span class="key now">{name}</span>
          {previous !== undefined && <span class="key before">{otherName}</span>}
          {isOpen && <span class="key open">not over yet</span>}
        </span>
        <output class="readout">
          {index === undefined || index >= buckets.length ? "" : describe(index)}
        </output>
      </figcaption>
      {cannotDraw && <p class="empty">The chart cannot be drawn. Select Table to see the figures.</p>}
      <section
        ref={place}
        class="plot"
        aria-label={`${label}. Use the arrow keys to read the values`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys need the focus
        tabIndex={0}
        onKeyDown={onKeyDown}
      />
    </figure>
  )
}
