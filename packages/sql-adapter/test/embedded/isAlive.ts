import { readFileSync } from "node:fs"

/** Whether the process runs. A dead one that waits for its parent to notice, here often for seconds, does not. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return process.platform !== "linux" || readFileSync(`/proc/${pid}/cmdline`).length > 0
  } catch {
    return false
  }
}
