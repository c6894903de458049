import { existsSync, readdirSync, readFileSync } from "node:fs"
import { childrenOf } from "./processMemory.ts"

const ofThread = (pid: number, thread: string): number =>
  Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ", 1)[0]) / 1_000

const taken = (pid: number): number => {
  try {
    const threads = readdirSync(`/proc/${pid}/task`).map((thread) => ofThread(pid, thread))
    return [...threads, ...childrenOf(pid).map(taken)].reduce((sum, micros) => sum + micros, 0)
  } catch {
    // It has ended meanwhile.
    return 0
  }
}

/**
 * Microseconds of processor time that a process and those it started have taken so far, except those that have ended. Linux only;
 * elsewhere it is not a number.
 */
export const processorMicros = (pid: number): number =>
  existsSync("/proc/self/schedstat") ? taken(pid) : Number.NaN

/** The process that started this one. */
export const parentOf = (pid: number): number =>
  Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1])
