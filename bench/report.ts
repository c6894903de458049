import type { Bar } from "./Benchmark.ts"

/** Minimum, median and maximum over the rounds. */
export interface Spread {
  readonly min: number
  readonly median: number
  readonly max: number
}

export const percentile = (values: ReadonlyArray<number>, part: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

export const spreadOf = (values: ReadonlyArray<number>): Spread => ({
  min: Math.min(...values),
  median: (percentile(values, 0.5) + percentile(values, 0.499999)) / 2,
  max: Math.max(...values)
})

/** The ratios of two series, round by round. */
export const ratios = (ours: ReadonlyArray<number>, theirs: ReadonlyArray<number>): Spread =>
  spreadOf(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)))

/** A number with two or three significant digits. */
export const digits = (value: number): string =>
  value >= 100
    ? Math.round(value).toLocaleString("en-US")
    : value >= 1
      ? value.toFixed(1)
      : value.toPrecision(2)

/** `4.3 (4.1 – 4.6)`: median, minimum and maximum. */
export const showSpread = ({ max, median, min }: Spread, unit = ""): string =>
  `${digits(median)}${unit} (${digits(min)} – ${digits(max)})`

/** A target that the median must reach. */
export const atLeast = (what: string, measured: Spread, bar: number, unit = " ×"): Bar => ({
  what,
  measured: showSpread(measured, unit),
  bar: `≥ ${bar}${unit}`,
  isMet: measured.median >= bar
})

/** A target that the median must not exceed. */
export const atMost = (what: string, measured: Spread, bar: number, unit: string): Bar => ({
  what,
  measured: showSpread(measured, unit),
  bar: `≤ ${bar}${unit}`,
  isMet: measured.median <= bar
})

/** Prints an aligned Markdown table. */
export const printTable = (
  header: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): void => {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0))
  )
  const line = (cells: ReadonlyArray<string>) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`
  console.log(`\n${[header, widths.map((width) => "-".repeat(width)), ...rows].map(line).join("\n")}\n`)
}

export const printBars = (bars: ReadonlyArray<Bar>): void =>
  printTable(
    ["bar", "measured: median (min – max)", "wanted", ""],
    bars.map(({ bar, isMet, measured, what }) => [what, measured, bar, isMet ? "met" : "**missed**"])
  )
