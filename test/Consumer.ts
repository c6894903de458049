import { execFile, type SpawnOptions, spawn } from "node:child_process"
import { cp, mkdtemp, readdir, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

export const root = fileURLToPath(new URL("..", import.meta.url))
export const names = [
  "browser",
  "cli",
  "clickhouse-adapter",
  "core",
  "http",
  "sql-adapter",
  "worker"
] as const

const start = promisify(execFile)

// As on a server: without this repository's programs in the PATH and without the settings of the npm that runs these tests.
const environment = Object.fromEntries(
  Object.entries(process.env)
    .filter(
      ([name]) =>
        !/^(npm_(package|lifecycle|config_local_prefix)|CLICKS_|DATABASE_URL|NODE_|VITEST)/.test(name)
    )
    .map(([name, value]) => [
      name,
      name === "PATH"
        ? value
            ?.split(delimiter)
            .filter((folder) => !folder.includes("node_modules"))
            .join(delimiter)
        : value
    ])
)

/** Runs a program to its end and returns its output. */
export const run = async (
  command: string,
  args: ReadonlyArray<string>,
  options: { readonly cwd: string; readonly env?: Record<string, string> }
): Promise<string> => {
  const { stdout } = await start(command, args, { ...options, env: { ...environment, ...options.env } })
  return stdout
}

// A timeout fails with the output so far.
const tooLate = (message: string, output: () => string) =>
  new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error(`${message}: ${output()}`)), 120_000).unref()
  })

const launched: Array<() => Promise<unknown>> = []

/** Ends the programs that a failed test left running. */
export const stopAll = () => Promise.all(launched.map((stop) => stop()))

/** Starts a program that runs until it is stopped. */
export const launch = (command: string, args: ReadonlyArray<string>, options: SpawnOptions) => {
  const child = spawn(command, args, { ...options, env: { ...environment, ...options.env }, stdio: "pipe" })
  let output = ""
  const listeners = new Set<() => void>()
  const hear = (piece: Buffer) => {
    output += piece.toString()
    for (const listener of listeners) listener()
  }
  child.stdout.on("data", hear)
  child.stderr.on("data", hear)
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve))
  const stop = () => {
    child.kill("SIGTERM")
    return Promise.race([ended, tooLate(`${command} ${args} did not end after SIGTERM`, () => output)])
  }
  launched.push(stop)
  return {
    /** Waits until the output matches. Fails with the output if the program ends first. */
    output: (pattern: RegExp) =>
      new Promise<RegExpExecArray>((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(output)
          if (match !== null) resolve(match)
        }
        listeners.add(look)
        look()
        tooLate(`${command} ${args} did not print ${pattern}`, () => output).catch(reject)
        ended.then((code) => reject(new Error(`${command} ended with ${code}: ${output}`)))
      }),
    stop
  }
}

export interface Consumer {
  /** The folder of a service into which npm installed the packages and Express. */
  readonly folder: string
  readonly tarballs: string
}

/** Packs every package and installs the tarballs with npm into a fresh folder. */
export const install = async (expressVersion: string): Promise<Consumer> => {
  const folder = await mkdtemp(join(tmpdir(), "clicks-consumer-"))
  const tarballs = join(folder, "tarballs")
  await run(process.execPath, [join(root, "scripts/pack.mjs"), tarballs], { cwd: root })
  await cp(join(root, "test/consumer"), folder, { recursive: true })
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }))
  const files = (await readdir(tarballs)).map((file) => join(tarballs, file))
  const quick = ["--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"]
  await run("npm", ["install", ...quick, ...files, `express@${expressVersion}`], { cwd: folder })
  return { folder, tarballs }
}
