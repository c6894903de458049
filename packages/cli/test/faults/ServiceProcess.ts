import type { ChildProcess } from "node:child_process"
import { createServer } from "node:net"
import { Effect } from "effect"
import { begin, beginUnder, type Environment, type Outcome, outcomeOf } from "../clicks.ts"
import { recorder } from "./PowerCut.ts"

export const adminKey = "an-admin-key-for-the-tests"

/** A free port for a service that is restarted on it again and again. */
const freePort = Effect.callback<number>((resume) => {
  const server = createServer()
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    const port = typeof address === "object" ? (address?.port ?? 0) : 0
    server.close(() => resume(Effect.succeed(port)))
  })
})

/** A process of `clicks serve` that is ended and restarted, always on the same port. */
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

  /** Starts the service and waits until it is ready. With `trace`, records its writes in that file. */
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

  /** Sends the service this signal and waits until it has ended. */
  async end(signal: NodeJS.Signals): Promise<Outcome | undefined> {
    this.signal(signal)
    return this.#outcome
  }
}

/** A service that has not been started. It is ended when the scope closes. */
export const makeService = (env: Environment, folder: string) =>
  Effect.acquireRelease(
    Effect.map(freePort, (port) => new ServiceProcess(port, env, folder)),
    (service) =>
      Effect.promise(() => {
        service.signal("SIGCONT")
        return service.end("SIGKILL")
      })
  )
