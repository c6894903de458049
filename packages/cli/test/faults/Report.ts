import { faultsOf, type Verdict } from "./Trial.ts"

const columns = [
  "scenario",
  "trials",
  "sent",
  "stored",
  "spooled",
  "duplicate",
  "dropped",
  "unanswered",
  "missing",
  "doubled",
  "changed",
  "unsent",
  "refused",
  "undrained",
  "miscounted",
  "quarantined"
] as const

type Line = ReadonlyArray<string>

const pad = (lines: ReadonlyArray<Line>): string => {
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  const text = (line: Line) =>
    line.map((cell, at) => (at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0)))
  return lines.map((line) => `| ${text(line).join(" | ")} |`).join("\n")
}

const sum = (verdicts: ReadonlyArray<Verdict>, name: Exclude<(typeof columns)[number], "scenario">) =>
  verdicts.reduce((total, verdict) => total + verdict[name], 0)

/** A Markdown table of all scenarios and their sums. */
export const table = (verdicts: ReadonlyMap<string, Verdict>): string => {
  const [, ...figures] = columns
  const all = [...verdicts.values()]
  const number = (value: number) => value.toLocaleString("en-US")
  const rule = columns.map((_, at) => (at === 0 ? "---" : "--:"))
  return pad([
    columns,
    rule,
    ...[...verdicts].map(([name, verdict]) => [name, ...figures.map((figure) => number(verdict[figure]))]),
    ["together", ...figures.map((figure) => number(sum(all, figure)))]
  ])
}

/** The number of acknowledged clicks of all scenarios. */
export const acknowledged = (verdicts: ReadonlyMap<string, Verdict>): number =>
  sum([...verdicts.values()], "stored") +
  sum([...verdicts.values()], "spooled") +
  sum([...verdicts.values()], "duplicate")

/** Whether no promise was broken. */
export const isClean = (verdict: Verdict): boolean =>
  Object.values(faultsOf(verdict)).every((count) => count === 0)
