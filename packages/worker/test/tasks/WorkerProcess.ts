import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"

const program = fileURLToPath(new URL("steppingWorker.ts", import.meta.url))

/** Its output is read to the end: a process whose output is not read any more dies at its next warning. */
const ready = (child: ChildProcess) =>
  new Promise<void>((resolve, reject) => {
    child.stdout?.on("data", (text) => {
      if (String(text).includes("ready")) resolve()
    })
    child.once("exit", () => reject(new Error("The worker ended before it was ready")))
  })

/** Starts a worker process and waits until it is running. It is killed when the scope closes. */
export const start = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const child = spawn(process.execPath, [program, url], { stdio: ["ignore", "pipe", "inherit"] })
      await ready(child)
      return child
    }),
    (child) =>
      Effect.promise(async () => {
        if (child.exitCode !== null || child.signalCode !== null) return
        const ended = once(child, "exit")
        child.kill("SIGKILL")
        await ended
      })
  )
