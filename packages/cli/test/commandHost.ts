import { Readable } from "node:stream"
import { type CommandCall, endMark } from "./CommandPool.ts"

/*
 * A process that runs `clicks` commands one after another. A short command spends most of its time on loading the program, which
 * happens only once here. Each command has its own arguments, environment, current folder and streams, as if it had its own
 * process, and ends by `process.exit` or when no work is left.
 */

const endProcess = process.exit.bind(process)

/** Thrown by `process.exit`, which must not return, to end the running command. */
class Exited extends Error {}

const prepare = ({ args, cwd, env, input }: CommandCall): void => {
  process.argv = [process.execPath, "clicks", ...args]
  process.chdir(cwd)
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  const stdin = Readable.from(input === undefined ? [] : [Buffer.from(input)])
  Object.defineProperty(process, "stdin", { value: stdin, configurable: true })
}

let calls = 0

const run = (call: CommandCall): Promise<number> =>
  new Promise((resolve) => {
    let isCalled = true
    process.exit = (code) => {
      resolve(Number(code ?? 0))
      if (isCalled) throw new Exited()
      return undefined as never
    }
    const fail = (error: unknown) => {
      if (error instanceof Exited) return
      console.error(error)
      resolve(1)
    }
    process.once("beforeExit", () => resolve(0))
    process.on("uncaughtException", fail)
    prepare(call)
    // A new query evaluates only the entry module again.
    import(`../src/main.ts?${++calls}`).catch(fail).finally(() => {
      isCalled = false
    })
  })

process.on("disconnect", () => endProcess())
process.on("message", async (call: CommandCall) => {
  process.channel?.unref()
  const code = await run(call)
  process.channel?.ref()
  for (const event of ["beforeExit", "uncaughtException", "SIGINT", "SIGTERM", "SIGHUP"])
    process.removeAllListeners(event)
  for (const stream of [process.stdout, process.stderr]) stream.write(endMark(code))
})
