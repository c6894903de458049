import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { watchMemory } from "./processMemory.ts"

export const clicksProgram = fileURLToPath(new URL("../../packages/cli/bin/clicks.mjs", import.meta.url))

/** The cost of a command. */
export interface Cost {
  readonly seconds: number
  /** Highest resident memory in MB. */
  readonly memory: number
}

/** Runs a program to its end. Fails if its exit code is not the expected one. */
export const runCommand = async (
  program: string,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {},
  expected = 0
): Promise<Cost> => {
  const begin = performance.now()
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"]
  })
  let complaint = ""
  child.stderr.on("data", (text) => {
    complaint += text
  })
  const memory = watchMemory(child.pid)
  const [code] = await once(child, "close")
  if (code !== expected) throw new Error(`${program} ${args.join(" ")} ended with ${code}: ${complaint}`)
  return { seconds: (performance.now() - begin) / 1000, memory: memory() }
}

/** Runs a `clicks` command on a database, on the Node that runs the benchmark. */
export const runClicks = (databaseUrl: string, args: ReadonlyArray<string>, expected = 0): Promise<Cost> =>
  runCommand(process.execPath, [clicksProgram, ...args], { DATABASE_URL: databaseUrl }, expected)
