import { createServer } from "node:net"
import { Effect } from "effect"
import { Settings } from "../../settings/Settings.ts"
import { broken, type Finding, ok } from "./Finding.ts"

/** The code with which listening fails; undefined where it can be done. */
const listenFailure = (host: string, port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once("error", (error) => resolve("code" in error ? String(error.code) : error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  })

/** Whether what listens there answers as Clicks does. */
const isClicks = async (host: string, port: number): Promise<boolean> => {
  const name = host.includes(":") ? `[${host}]` : host
  const answer = await fetch(`http://${name}:${port}/livez`, { signal: AbortSignal.timeout(2000) })
  const body: unknown = await answer.json()
  return typeof body === "object" && body !== null && "status" in body && body.status === "ok"
}

export const portCheck: Effect.Effect<Finding, never, Settings> = Effect.gen(function* () {
  const { host, port } = yield* Settings
  const address = `${host}:${port}`
  const failure = yield* Effect.promise(() => listenFailure(host, port))
  if (failure === undefined) return ok("port", `${address} is free`)
  if (failure !== "EADDRINUSE") {
    return broken("port", `cannot listen on ${address} (${failure})`, "Set HOST or PORT to another value")
  }
  const ours = yield* Effect.promise(() => isClicks(host, port).catch(() => false))
  return ours
    ? ok("port", `Clicks is running on ${address}`)
    : broken("port", `${address} is in use by another program`, "Stop it, or set PORT to another port")
})
