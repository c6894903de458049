import { readdirSync, readFileSync } from "node:fs"

/** The running child processes of a process. Linux only. */
export const childrenOf = (pid: number): ReadonlyArray<number> =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number)
  )

const highest = (pid: number): number => {
  const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
  return (Number(kilobytes ?? 0) * 1024) / 1e6
}

// The sampling interval. The figure is gone when a process ends, so the last interval may be missed.
const interval = 50

/**
 * Measures a process while it runs. The returned function returns the highest resident memory so far in MB, including child
 * processes; NaN unless on Linux.
 */
export const watchMemory = (pid: number | undefined): (() => number) => {
  const peaks = new Map<number, number>()
  const note = (each: number): void => {
    try {
      peaks.set(each, Math.max(peaks.get(each) ?? 0, highest(each)))
      for (const child of childrenOf(each)) note(child)
    } catch {
      // The process has ended, or this is not Linux.
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
