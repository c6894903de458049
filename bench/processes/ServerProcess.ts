import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { clicksProgram } from "./command.ts"

/** A server in a process of its own, on the Node that runs the benchmark. */
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
      stdio: ["ignore", "pipe", "inherit"]
    })
    process.once("exit", () => child.kill("SIGKILL"))
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
  static async clicks(databaseUrl: string, dataDir?: string): Promise<ServerProcess> {
    const folder = dataDir ?? mkdtempSync(join(tmpdir(), "clicks-bench-data-"))
    const settings = { DATABASE_URL: databaseUrl, CLICKS_DATA_DIR: folder, LOG_LEVEL: "error" }
    const server = await ServerProcess.start([clicksProgram, "serve", "--json"], settings)
    if (dataDir === undefined) {
      server.process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
    }
    return server
  }

  /** Holds it still: what it does on the side must not be paid for by the others. */
  suspend(): void {
    this.process.kill("SIGSTOP")
  }

  resume(): void {
    this.process.kill("SIGCONT")
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return
    const ended = once(this.process, "exit")
    this.process.kill("SIGTERM")
    this.resume()
    await ended
  }
}
