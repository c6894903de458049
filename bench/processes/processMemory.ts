import { readdirSync, readFileSync } from "node:fs"

/** The processes that a process has started and that still run. Linux only. */
export const childrenOf = (pid: number): ReadonlyArray<number> =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number)
  )

const highest = (pid: number): number => {
  const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
  return (Number(kilobytes ?? 0) * 1024) / 1e6
}

// The system forgets the figure when a process ends; this is how much of its end may be missed.
const interval = 50

/**
 * Measures a process while it runs. Returns a function that returns the highest resident memory so far in MB, including the
 * processes it started. Linux only; elsewhere it is not a number.
 */
export const watchMemory = (pid: number | undefined): (() => number) => {
  const peaks = new Map<number, number>()
  const note = (each: number): void => {
    try {
      peaks.set(each, Math.max(peaks.get(each) ?? 0, highest(each)))
      for (const child of childrenOf(each)) note(child)
    } catch {
      // It has ended meanwhile, or this is no Linux.
    }
  }
  const look = () => note(pid ?? 0)
  const looking = setInterval(look, interval).unref()
  look()
  return () => {
    look()
    clearInterval(looking)
    return peaks.size === 0 ? Number.NaN : [...peaks.values()].reduce((sum, peak) => sum + peak, 0)
  }
}
