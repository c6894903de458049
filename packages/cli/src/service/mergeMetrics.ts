interface Family {
  readonly comments: ReadonlyArray<string>
  readonly isGauge: boolean
  /** Values by name and labels. */
  readonly samples: Map<string, number>
}

const type = /^# TYPE (\S+) (\S+)$/

const add = ({ isGauge, samples }: Family, line: string): void => {
  const end = line.lastIndexOf(" ")
  const key = line.slice(0, end)
  const value = Number(line.slice(end + 1))
  const before = samples.get(key) ?? (isGauge ? Number.NEGATIVE_INFINITY : 0)
  samples.set(key, isGauge ? Math.max(before, value) : before + value)
}

/** Adds what one process says. A family's comments, of which the type is the last, stand before its samples. */
const addText = (families: Map<string, Family>, text: string): void => {
  let comments: Array<string> = []
  let current: Family | undefined
  for (const line of text.split("\n").filter((line) => line !== "")) {
    if (!line.startsWith("#")) {
      if (current !== undefined) add(current, line)
      continue
    }
    comments.push(line)
    const [, name, kind] = type.exec(line) ?? []
    if (name === undefined) continue
    current = families.get(name) ?? { comments, isGauge: kind === "gauge", samples: new Map() }
    families.set(name, current)
    comments = []
  }
}

const textOf = (families: Iterable<Family>): string => {
  const lines = Array.from(families).flatMap(({ comments, samples }) => [
    ...comments,
    ...Array.from(samples, ([key, value]) => `${key} ${value}`)
  ])
  return lines.map((line) => `${line}\n`).join("")
}

/** What is counted, without the gauges: what a process leaves behind when it ends. */
export const countsOf = (text: string): string => {
  const families = new Map<string, Family>()
  addText(families, text)
  return textOf(Array.from(families.values()).filter(({ isGauge }) => !isGauge))
}

/**
 * The metrics of several processes of one service as those of one, in the text format of Prometheus (0.0.4). What is counted is
 * added up. Gauges are about what the processes share, the spool: the largest stands.
 */
export const mergeMetrics = (texts: ReadonlyArray<string>): string => {
  const families = new Map<string, Family>()
  for (const text of texts) addText(families, text)
  return textOf(families.values())
}
