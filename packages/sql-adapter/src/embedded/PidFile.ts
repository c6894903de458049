import { execFileSync } from "node:child_process"
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { basename, isAbsolute, join, resolve } from "node:path"
import { Effect } from "effect"
import { fromFileError } from "./EmbeddedPostgresError.ts"

/**
 * `postmaster.pid` remains when the server is killed. At the next start, its pid may belong to another process: after a reboot, and almost
 * always after a restart of a container. PostgreSQL and pg_ctl only check whether a process has that pid, so the server would not start,
 * and pg_ctl would stop the wrong process. This module checks which program the process runs.
 */

/** A pid that no process has. */
const unusedPid = 2_147_483_647
/** In milliseconds. PostgreSQL writes the whole file at once. If it is incomplete for longer than this, the machine crashed. */
const writingTime = 5_000

const unlessMissing = <A>(read: () => A): A | undefined => {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && (cause.code === "ENOENT" || cause.code === "ESRCH")) {
      return undefined
    }
    throw cause
  }
}

/** The command line of the process; empty if it has ended, even if its parent has not reaped it. */
const commandLine = (pid: number): ReadonlyArray<string> => {
  if (process.platform === "linux") {
    return (unlessMissing(() => readFileSync(`/proc/${pid}/cmdline`, "utf8")) ?? "").split("\0")
  }
  try {
    const line = execFileSync("ps", ["-ww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" })
    return line.trim().replaceAll(" -", "\0-").replace("\0-D ", "\0-D\0").split("\0")
  } catch {
    return []
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    // Also if this process may not signal it, because then it belongs to the system.
    return false
  }
}

/**
 * Whether the process is the server that was started on that cluster. In case of doubt, true: the pid file of a running server must be
 * kept.
 */
const isServer = (pid: number, startedOn: string): boolean => {
  // On Windows, PostgreSQL identifies its own processes, by a named pipe.
  if (process.platform === "win32") return isAlive(pid)
  const words = commandLine(pid)
  const program = basename(words[0] ?? "")
  const cluster = words[words.indexOf("-D") + 1] ?? ""
  // A server that was started manually may have a relative -D, or none.
  const isOther = words.includes("-D") && isAbsolute(cluster) && resolve(cluster) !== startedOn
  return (program === "postgres" || program === "postmaster") && !isOther
}

/** Whether the file came with a copy of the cluster that is still at its original path. */
const isCopy = (startedOn: string, cluster: string): boolean => {
  const original = unlessMissing(() => statSync(startedOn))
  const here = statSync(cluster)
  return original !== undefined && (original.ino !== here.ino || original.dev !== here.dev)
}

const findPort = (cluster: string): number | undefined => {
  const file = join(cluster, "postmaster.pid")
  const text = unlessMissing(() => readFileSync(file, "utf8"))
  if (text === undefined) return undefined
  const [pid, startedOn, since, port, ...rest] = text.split("\n")
  if (startedOn === undefined || port === undefined) {
    const written = unlessMissing(() => statSync(file).mtimeMs) ?? 0
    if (Date.now() - written > writingTime) rmSync(file, { force: true })
    return undefined
  }
  if (isServer(Math.abs(Number(pid)), startedOn) && !isCopy(startedOn, cluster)) return Number(port)
  // Only the pid is replaced: PostgreSQL uses the rest to find processes of the killed server that are still running.
  if (pid !== String(unusedPid)) writeFileSync(file, [unusedPid, startedOn, since, port, ...rest].join("\n"))
  return undefined
}

/** The port of the cluster's server if it runs. Makes a stale `postmaster.pid` harmless. */
export const serverPort = (cluster: string) =>
  Effect.try({ try: () => findPort(cluster), catch: fromFileError(cluster) })
