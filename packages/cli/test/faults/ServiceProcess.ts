import type { ChildProcess } from "node:child_process"
import { createServer } from "node:net"
import { Effect } from "effect"
import { begin, beginUnder, type Environment, type Outcome, outcomeOf } from "../clicks.ts"
import { recorder } from "./PowerCut.ts"

export const adminKey = "an-admin-key-for-the-tests"

/** A port that is free now, for a service that comes back on it again and again. */
const freePort = Effect.callback<number>((resume) => {
  const server = createServer()
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    const port = typeof address === "object" ? (address?.port ?? 0) : 0
    server.close(() => resume(Effect.succeed(port)))
  })
})

/** `clicks serve` as a process that is ended and started again, always on the same port. */
export class ServiceProcess {
  readonly port: number
  readonly #env: Environment
  readonly #folder: string
  #child: ChildProcess | undefined
  #outcome: Promise<Outcome> | undefined

  constructor(port: number, env: Environment, folder: string) {
    this.port = port
    this.#env = { ...env, PORT: String(port), CLICKS_ADMIN_KEY: adminKey, LOG_LEVEL: "Warn" }
    this.#folder = folder
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  /** Starts it and returns when it is ready. With a `trace`, what it writes is written down there. */
  async start(trace?: string): Promise<void> {
    const command = ["serve", "--json"]
    const child =
      trace === undefined
        ? begin(command, this.#env, this.#folder)
        : beginUnder(recorder(trace), command, this.#env, this.#folder)
    this.#child = child
    this.#outcome = outcomeOf(child)
    const ready = new Promise<void>((resolve) => child.stdout?.once("data", () => resolve()))
    const ended = this.#outcome.then((outcome) => {
      throw new Error(`The service ended before it was ready: ${JSON.stringify(outcome)}`)
    })
    ended.catch(() => {})
    await Promise.race([ready, ended])
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }

  /** Ends it with this signal and returns when it is gone. */
  async end(signal: NodeJS.Signals): Promise<Outcome | undefined> {
    this.signal(signal)
    return this.#outcome
  }
}

/** A service that is not started yet, and gone when the scope closes. */
export const makeService = (env: Environment, folder: string) =>
  Effect.acquireRelease(
    Effect.map(freePort, (port) => new ServiceProcess(port, env, folder)),
    (service) =>
      Effect.promise(() => {
        service.signal("SIGCONT")
        return service.end("SIGKILL")
      })
  )
