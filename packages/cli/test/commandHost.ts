import { Readable } from "node:stream"
import { type CommandCall, endMark } from "./CommandPool.ts"

/*
 * A process that runs `clicks` commands one after another. Most of the time of a short command is spent on loading the
 * program, which happens here once. A command finds its process as if it were alone there: arguments, environment, current
 * folder and streams are its own, and it ends by `process.exit` or when nothing is left to do.
 */

const endProcess = process.exit.bind(process)

/** Ends a command that is still being called, as `process.exit` does not return. */
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
    // With a new query the entry module is evaluated anew, and nothing else.
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
