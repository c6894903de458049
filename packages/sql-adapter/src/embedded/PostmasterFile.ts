import { execFileSync } from "node:child_process"
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { basename, isAbsolute, join, resolve } from "node:path"
import { Effect } from "effect"
import { fromFileError } from "./EmbeddedPostgresError.ts"

/**
 * The server of a cluster as its `postmaster.pid` tells it. The file outlives a killed server, and by then its pid may be
 * another process's: after a restart of the machine, and almost always after one of a container. PostgreSQL only asks
 * whether such a pid is alive and would refuse to start.
 */
export interface Postmaster {
  readonly pid: number
  /** The cluster's folder by the name it had then. */
  readonly startedIn: string
  readonly port: number
  readonly status: "starting" | "ready" | "stopping"
}

/** No process can have this pid. */
const nobody = 2_147_483_647
/** PostgreSQL writes the file in one go; older than this, in milliseconds, and not whole, it is left from a crash. */
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

/** The words the process was started with; none when it is gone, or only waits for its parent to notice its end. */
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
    return false
  }
}

/** Whether the process is the server that was started in that folder. In doubt it is: a running server's file must stay. */
export const isRunning = ({ pid, startedIn }: Pick<Postmaster, "pid" | "startedIn">): boolean => {
  // On Windows PostgreSQL itself tells its own processes from others, by a named pipe.
  if (process.platform === "win32") return isAlive(pid)
  const words = commandLine(pid)
  const program = basename(words[0] ?? "")
  const folder = words[words.indexOf("-D") + 1] ?? ""
  // Who starts the server by hand may give the folder relative to where they stand, or not at all.
  const isElsewhere = isAbsolute(folder) && words.includes("-D") && resolve(folder) !== startedIn
  return (program === "postgres" || program === "postmaster") && !isElsewhere
}

/** The file tells the folder the server was started in: another one when it came along in a copy, or when this one was moved. */
const isCopiedFrom = (startedIn: string, cluster: string): boolean => {
  const there = unlessMissing(() => statSync(startedIn))
  if (there === undefined) return false
  const here = statSync(cluster)
  return there.ino !== here.ino || there.dev !== here.dev
}

const inspect = (cluster: string): Postmaster | undefined => {
  const file = join(cluster, "postmaster.pid")
  const text = unlessMissing(() => readFileSync(file, "utf8"))
  if (text === undefined) return undefined
  const [pidText, startedIn, since, port, ...rest] = text.split("\n")
  const pid = Math.abs(Number(pidText))
  if (!Number.isSafeInteger(pid) || pid === 0 || startedIn === undefined || port === undefined) {
    const written = unlessMissing(() => statSync(file).mtimeMs) ?? 0
    if (Date.now() - written < writingTime)
      return { pid: nobody, startedIn: cluster, port: 0, status: "starting" }
    rmSync(file, { force: true })
    return undefined
  }
  if (isRunning({ pid, startedIn }) && !isCopiedFrom(startedIn, cluster)) {
    const status = rest[3]?.trim()
    return {
      pid,
      startedIn,
      port: Number(port),
      status: status === "ready" || status === "stopping" ? status : "starting"
    }
  }
  if (isAlive(pid)) writeFileSync(file, [nobody, startedIn, since, port, ...rest].join("\n"))
  return undefined
}

/**
 * The running server of the cluster, if there is one. A file left behind whose pid is somebody else's is made harmless on
 * the way: only the pid is replaced, because PostgreSQL uses the rest to see whether back ends of a killed server still run.
 */
export const read = (cluster: string) =>
  Effect.try({ try: () => inspect(cluster), catch: fromFileError(cluster) })
