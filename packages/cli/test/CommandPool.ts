import { type ChildProcess, fork } from "node:child_process"
import { fileURLToPath } from "node:url"

export interface CommandCall {
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly input: string | Uint8Array | undefined
}

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const host = fileURLToPath(new URL("commandHost.ts", import.meta.url))

/** The text that a host writes to both streams after a command. No command writes a NUL. */
export const endMark = (code: number): string => `\0${code}\0`

const ended = /\0(\d+)\0$/

const idle: Array<ChildProcess> = []

const start = (): ChildProcess => {
  const child = fork(host, {
    execArgv: [],
    serialization: "advanced",
    stdio: ["ignore", "pipe", "pipe", "ipc"]
  })
  child.stdout?.setEncoding("utf8")
  child.stderr?.setEncoding("utf8")
  return child
}

/** Runs a command to its end in a process that is reused, so that the program is loaded once. */
export const runCommand = (call: CommandCall, signal: AbortSignal): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const child = idle.pop() ?? start()
    const said = { stdout: "", stderr: "" }
    const finish = () => {
      const [stdout, stderr] = [ended.exec(said.stdout), ended.exec(said.stderr)]
      if (stdout === null || stderr === null) return
      child.stdout?.removeAllListeners("data")
      child.stderr?.removeAllListeners("data")
      child.removeAllListeners("exit")
      signal.removeEventListener("abort", abort)
      idle.push(child)
      resolve({
        code: Number(stderr[1]),
        stdout: said.stdout.slice(0, stdout.index),
        stderr: said.stderr.slice(0, stderr.index)
      })
    }
    const abort = () => child.kill("SIGKILL")
    signal.addEventListener("abort", abort)
    for (const stream of ["stdout", "stderr"] as const)
      child[stream]?.on("data", (text: string) => {
        said[stream] += text
        finish()
      })
    child.once("exit", (code) => reject(new Error(`The command host ended with ${code}: ${said.stderr}`)))
    child.send(call)
  })
