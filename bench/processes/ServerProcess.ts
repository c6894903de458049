import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { clicksProgram } from "./command.ts"

const running = new Set<ChildProcess>()
const folders = new Set<string>()

// Each server leads its own process group, so that a signal also reaches its child processes.
const signalGroup = (child: ChildProcess, signal: NodeJS.Signals): void => {
  if (child.pid !== undefined && running.has(child)) process.kill(-child.pid, signal)
}

process.once("exit", () => {
  for (const child of running) signalGroup(child, "SIGKILL")
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A server in its own process, on the Node that runs the benchmark. Stopped at the end of the benchmark at the latest. */
export class ServerProcess {
  readonly url: string
  readonly process: ChildProcess

  private constructor(url: string, process: ChildProcess) {
    this.url = url
    this.process = process
  }

  get port(): number {
    return Number(new URL(this.url).port)
  }

  /** Starts a program that prints `{"url": …}` when it is ready. */
  static async start(args: ReadonlyArray<string>, env: Readonly<Record<string, string>>) {
    const child = spawn(process.execPath, args, {
      env: { ...process.env, NODE_ENV: "production", ...env, PORT: "0" },
      stdio: ["ignore", "pipe", "inherit"],
      detached: true
    })
    running.add(child)
    child.once("exit", () => running.delete(child))
    for await (const line of createInterface({ input: child.stdout })) {
      const { url } = JSON.parse(line)
      return new ServerProcess(url, child)
    }
    throw new Error(`${args.join(" ")} ended before it was ready`)
  }

  /** A peer of the folder `peers`. */
  static peer(name: string, databaseUrl: string): Promise<ServerProcess> {
    const program = fileURLToPath(new URL(`../peers/${name}.ts`, import.meta.url))
    return ServerProcess.start([program], { DATABASE_URL: databaseUrl })
  }

  /** `clicks serve`, with an empty data folder unless one is given. */
  static clicks(
    databaseUrl: string,
    dataDir = temporaryFolder(),
    env: Readonly<Record<string, string>> = {}
  ): Promise<ServerProcess> {
    const settings = { DATABASE_URL: databaseUrl, CLICKS_DATA_DIR: dataDir, LOG_LEVEL: "error", ...env }
    const more = process.env["BENCH_SERVE_ARGS"]?.split(" ") ?? []
    return ServerProcess.start([clicksProgram, "serve", "--json", ...more], settings)
  }

  /** `clicks worker`. */
  static worker(databaseUrl: string, env: Readonly<Record<string, string>>): Promise<ServerProcess> {
    const settings = {
      DATABASE_URL: databaseUrl,
      CLICKS_DATA_DIR: temporaryFolder(),
      LOG_LEVEL: "error",
      ...env
    }
    return ServerProcess.start([clicksProgram, "worker", "--json", "--port", "0"], settings)
  }

  /** Pauses the server, so that its background work does not slow down the others. */
  suspend(): void {
    signalGroup(this.process, "SIGSTOP")
  }

  resume(): void {
    signalGroup(this.process, "SIGCONT")
  }

  /** Kills the server, as the system does when memory runs out. */
  async kill(): Promise<void> {
    const ended = once(this.process, "exit")
    signalGroup(this.process, "SIGKILL")
    await ended
  }

  async stop(): Promise<void> {
    if (!running.has(this.process)) return
    const ended = once(this.process, "exit")
    this.process.kill("SIGTERM")
    this.resume()
    await ended
  }
}

/** A folder that is removed at the end of the benchmarks. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "clicks-bench-"))
  folders.add(folder)
  return folder
}
