import { existsSync, readdirSync, readFileSync } from "node:fs"
import { childrenOf } from "./processMemory.ts"

const ofThread = (pid: number, thread: string): number =>
  Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ", 1)[0]) / 1_000

const taken = (pid: number): number => {
  try {
    const threads = readdirSync(`/proc/${pid}/task`).map((thread) => ofThread(pid, thread))
    return [...threads, ...childrenOf(pid).map(taken)].reduce((sum, micros) => sum + micros, 0)
  } catch {
    // The process has ended.
    return 0
  }
}

/**
 * Processor time of a process and its running child processes so far, in microseconds; NaN unless on Linux.
 */
export const processorMicros = (pid: number): number =>
  existsSync("/proc/self/schedstat") ? taken(pid) : Number.NaN

/** The parent of a process. */
export const parentOf = (pid: number): number =>
  Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1])
