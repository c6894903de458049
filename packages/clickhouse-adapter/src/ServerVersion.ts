// The first release of each line without the bugs that are known to lose data. Older lines are not repaired, newer lines never had them.
const firstSafe = [
  [26, 3, 17],
  [26, 4, 5],
  [26, 5, 6],
  [26, 6, 2]
] as const

const compare = (a: ReadonlyArray<number>, b: ReadonlyArray<number>): number => {
  const index = b.findIndex((part, at) => part !== (a[at] ?? 0))
  return index < 0 ? 0 : (a[index] ?? 0) - (b[index] ?? 0)
}

const isSafe = (parts: ReadonlyArray<number>): boolean => {
  const line = firstSafe.find((first) => compare(parts.slice(0, 2), first.slice(0, 2)) === 0)
  return line === undefined ? compare(parts, [26, 7]) >= 0 : compare(parts, line) >= 0
}

const releases = firstSafe.map((parts) => parts.join(".")).join(", ")

/** Why a version of ClickHouse (`version()`, such as 26.7.2.1) must not hold clicks; undefined if it may. */
export const versionProblem = (version: string): string | undefined => {
  const match = /^(\d+)\.(\d+)\.(\d+)/.exec(version)
  if (match !== null && isSafe(match.slice(1).map(Number))) return undefined
  return `ClickHouse ${version} is known to lose data. Upgrade to ${releases} or newer`
}
