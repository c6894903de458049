const width = 100
const height = 28
const margin = 2

// One value is a level line.
const pointsOf = (given: ReadonlyArray<number>, top: number): string => {
  const values = given.length === 1 ? [...given, ...given] : given
  return values
    .map((value, index) => {
      const x = (index / (values.length - 1)) * width
      const y = height - margin - (value / top) * (height - 2 * margin)
      return `${x.toFixed(1)},${y.toFixed(1)}`
    })
    .join(" ")
}

/** A small line without axes. The figures are beside it, so it is left out for screen readers. */
export const Sparkline = ({
  values,
  previous = []
}: {
  readonly values: ReadonlyArray<number>
  readonly previous?: ReadonlyArray<number>
}) => {
  const top = Math.max(1e-9, ...values, ...previous)
  return (
    <svg class="sparkline" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {previous.length > 0 && <polyline class="before" points={pointsOf(previous, top)} />}
      <polyline class="now" points={pointsOf(values, top)} />
    </svg>
  )
}
