const blocks = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

/** Merges neighbours, so that at most `width` values are left. */
const merged = (values: ReadonlyArray<number>, width: number): ReadonlyArray<number> => {
  const size = Math.ceil(values.length / Math.max(1, width))
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size).reduce((sum, value) => sum + value, 0)
  )
}

/** A character per value, its height relative to `max` or the largest value; neighbours are merged to fit the width. */
export const sparkline = (
  values: ReadonlyArray<number>,
  width = Number.POSITIVE_INFINITY,
  max?: number
): string => {
  if (values.length === 0) return ""
  const shown = merged(values, Math.min(width, values.length))
  const top = max ?? shown.reduce((a, b) => Math.max(a, b), 0)
  return shown
    .map((value) => blocks[top === 0 ? 0 : Math.min(7, Math.ceil((value / top) * 7))] ?? "")
    .join("")
}
