const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

/** A bar of so many eighths of a terminal column; one eighth at least where there is anything. */
export const bar = (value: number, most: number, width: number): string => {
  if (value <= 0 || most <= 0) return ""
  const length = Math.max(1, Math.round((value / most) * width * 8))
  return "█".repeat(length >> 3) + (eighths[length & 7] ?? "")
}
