import Plot from "uplot"

export type Interval = "hour" | "day" | "week" | "month"

/** A line over time, and a second one, `previous`, to compare it with. */
export interface Lines {
  /** Seconds since the epoch. */
  readonly times: ReadonlyArray<number>
  readonly values: ReadonlyArray<number>
  readonly previous: ReadonlyArray<number> | undefined
  /** Whether the bucket of the last values is not over. */
  readonly isOpen: boolean
  readonly interval: Interval
  readonly timeZone: string
  /** Called with the index under the cursor. */
  readonly onPoint: (index: number | undefined) => void
}

const height = 280
const shortNumber = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 })

/** Resolves a colour variable of the style sheet for the canvas, in the current theme. */
const color = (element: HTMLElement, name: string): string => {
  const before = element.style.color
  element.style.color = `var(${name})`
  const resolved = getComputedStyle(element).color
  element.style.color = before
  return resolved
}

const hour = 3600
const day = 24 * hour

// Multiples of a bucket, so that no label is between two buckets.
const steps: Readonly<Record<Interval, Array<number>>> = {
  hour: [1, 2, 3, 6, 12, 24].map((hours) => hours * hour),
  day: [1, 2, 3, 7, 14, 28].map((days) => days * day),
  week: [7, 14, 28, 91].map((days) => days * day),
  month: [28, 91, 182, 364].map((days) => days * day)
}

const labels: Readonly<Record<Interval, Intl.DateTimeFormatOptions>> = {
  hour: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  day: { day: "numeric", month: "short" },
  week: { day: "numeric", month: "short" },
  month: { month: "short", year: "numeric" }
}

/** Whether the last segment of each line is drawn separately and dotted, because its bucket is not over. */
const isSplit = ({ isOpen, times }: Lines): boolean => isOpen && times.length > 1

const split = (values: ReadonlyArray<number>): ReadonlyArray<ReadonlyArray<number | null>> => [
  [...values.slice(0, -1), null],
  values.map((value, index) => (index < values.length - 2 ? null : value))
]

const optionsOf = (element: HTMLElement, lines: Lines): Plot.Options => {
  const { interval, onPoint, previous, timeZone, times } = lines
  // A single value is drawn as a point, because it makes no line.
  const points = { show: times.length === 1 }
  const parts = (line: Plot.Series) => (isSplit(lines) ? [line, { ...line, dash: [2, 3] }] : [line])
  const accent = color(element, "--accent")
  const muted = color(element, "--muted")
  const font = `12px ${getComputedStyle(element).fontFamily}`
  const label = new Intl.DateTimeFormat("en-GB", { ...labels[interval], timeZone })
  const axis = {
    stroke: muted,
    font,
    grid: { stroke: color(element, "--line"), width: 1 },
    ticks: { show: false }
  }
  return {
    width: element.clientWidth,
    height,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 8 } },
    tzDate: (seconds) => Plot.tzDate(new Date(seconds * 1000), timeZone),
    scales: { y: { range: (_, __, top) => [0, Math.max(1, top * 1.1)] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        incrs: steps[interval],
        space: 64,
        size: 30,
        gap: 8,
        values: (_, splits) => splits.map((seconds) => label.format(seconds * 1000))
      },
      {
        ...axis,
        size: 52,
        values: (_, splits) => splits.map((each) => (Number.isInteger(each) ? shortNumber.format(each) : ""))
      }
    ],
    series: [
      {},
      ...(previous === undefined ? [] : parts({ stroke: muted, width: 1.5, dash: [4, 4], points })),
      ...parts({ stroke: accent, width: 2, fill: color(element, "--accent-soft"), points })
    ],
    hooks: { setCursor: [({ cursor: { idx } }) => onPoint(idx ?? undefined)] }
  }
}

/** Draws lines into an element. Returns functions to move the cursor and to remove the drawing. */
export const draw = (element: HTMLElement, lines: Lines) => {
  const { previous, times, values } = lines
  const given = previous === undefined ? [values] : [previous, values]
  const parts = isSplit(lines) ? given.flatMap(split) : given
  const data = [times, ...parts].map((each) => [...each]) as Plot.AlignedData
  const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
  let drawing: ReturnType<typeof setTimeout> | undefined
  // Draws in a separate task: a phone takes 40 ms to build the chart and 30 ms to draw it.
  const plot = new Plot(optionsOf(element, lines), data, ({ root }, drawNow) => {
    element.append(root)
    drawing = setTimeout(() => {
      drawNow()
      resized.observe(element)
    })
  })
  return {
    pointAt: (index: number): void => {
      const left = plot.valToPos(times[index] ?? 0, "x")
      plot.setCursor({ left, top: height / 2 })
    },
    remove: (): void => {
      clearTimeout(drawing)
      resized.disconnect()
      plot.destroy()
    }
  }
}
