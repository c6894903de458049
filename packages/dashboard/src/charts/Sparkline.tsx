const width = 100
const height = 28
const margin = 2

const pointsOf = (values: ReadonlyArray<number>, top: number): ReadonlyArray<string> =>
  values.map((value, index) => {
    const x = (index / (values.length - 1)) * width
    const y = height - margin - (value / top) * (height - 2 * margin)
    return `${x.toFixed(1)},${y.toFixed(1)}`
  })

// A single value is drawn as a horizontal line.
const lineOf = (values: ReadonlyArray<number>) => (values.length === 1 ? [...values, ...values] : values)

/**
 * A small line without axes. The segment to a value that is not final is dashed. Hidden from screen readers, because the figures
 * are beside it.
 */
export const Sparkline = ({
  values,
  previous = [],
  isOpen
}: {
  readonly values: ReadonlyArray<number>
  readonly previous?: ReadonlyArray<number>
  /** Whether the bucket of the last value is not over. */
  readonly isOpen: boolean
}) => {
  const top = Math.max(1e-9, ...values, ...previous)
  const points = pointsOf(lineOf(values), top)
  const final = isOpen ? points.slice(0, -1) : points
  return (
    <svg class="sparkline" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {previous.length > 0 && <polyline class="before" points={pointsOf(lineOf(previous), top).join(" ")} />}
      <polyline class="now" points={final.join(" ")} />
      {isOpen && <polyline class="now open" points={points.slice(-2).join(" ")} />}
    </svg>
  )
}
