import { readdirSync, readFileSync } from "node:fs"
import { query } from "./PostgresServer.ts"

const parentOf = (pid: number): number => {
  try {
    return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1])
  } catch {
    return 0
  }
}

const childrenOf = (parent: number): ReadonlyArray<number> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && parentOf(Number(name)) === parent)
    .map(Number)

const signalAll = (pids: ReadonlyArray<number>, signal: NodeJS.Signals): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // The process has ended.
    }
  }
}

/** Stops all processes of a PostgreSQL on this machine (SIGSTOP, on Linux). The returned function resumes them. */
export const freeze = async (url: string): Promise<() => void> => {
  const [checkpointer] = await query<{ readonly pid: number }>(
    url,
    "select pid from pg_stat_activity where backend_type = 'checkpointer'"
  )
  const postmaster = parentOf(checkpointer?.pid ?? 0)
  if (!(postmaster > 1)) throw new Error("The PostgreSQL must run on this machine, on Linux")
  signalAll([postmaster, ...childrenOf(postmaster)], "SIGSTOP")
  const thaw = () => signalAll([postmaster, ...childrenOf(postmaster)], "SIGCONT")
  // An interrupted benchmark shuts its database down, to which a frozen database would not react.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, thaw)
  return thaw
}
