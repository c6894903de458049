import { readFileSync } from "node:fs"

/** Whether the process is running. False for a dead process whose parent has not noticed it yet, which here often takes seconds. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return process.platform !== "linux" || readFileSync(`/proc/${pid}/cmdline`).length > 0
  } catch {
    return false
  }
}
