import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { Effect, type Scope } from "effect"

/** A request to record clicks. */
export interface Sent {
  readonly key: string
  /** The bytes of its clicks. */
  readonly clicks: string
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A server on a free port of this machine. It closes with the scope. */
export const listening = (handle: Handler): Effect.Effect<number, never, Scope.Scope> =>
  Effect.gen(function* () {
    const server = createServer(handle)
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.void))
      }),
      () => Effect.sync(() => server.close().closeAllConnections())
    )
    const address = server.address()
    return typeof address === "object" ? (address?.port ?? 0) : 0
  })

type Failure = { readonly status: number; readonly body: string } | "break" | undefined

/** How the front responds to a request that records clicks. With undefined, it passes the request to the service. */
export type Fault = (sent: Sent) => Failure | Promise<Failure>

const withCors = (request: IncomingMessage) => ({
  "access-control-allow-origin": request.headers.origin ?? "*",
  "content-type": "application/json"
})

/** A proxy in front of a service that records what pages send and simulates faults. */
export const front = Effect.fnUntraced(function* (service: string) {
  const sent: Array<Sent> = []
  const state: { fault: Fault } = { fault: () => undefined }
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "", service)
    const body = await text(request)
    if (request.method === "POST") {
      const batch = { key: url.searchParams.get("key") ?? "", clicks: body.slice(body.indexOf("[")) }
      sent.push(batch)
      const failure = await state.fault(batch)
      if (failure === "break") return void request.destroy()
      // Like a proxy, drops the request if the client no longer waits for the response.
      if (response.destroyed) return
      if (failure !== undefined) {
        return void response.writeHead(failure.status, withCors(request)).end(failure.body)
      }
    }
    const { host, connection, ...headers } = request.headers
    const answer = await fetch(url, {
      method: request.method ?? "GET",
      headers: headers as Record<string, string>,
      ...(body !== "" && { body })
    })
    const kept = Array.from(answer.headers).filter(
      ([name]) => !/^(content-encoding|content-length|connection|keep-alive|transfer-encoding)$/.test(name)
    )
    response.writeHead(answer.status, Object.fromEntries(kept)).end(Buffer.from(await answer.arrayBuffer()))
  }
  const port = yield* listening(
    (request, response) => void handle(request, response).catch(() => request.destroy())
  )
  return { url: `http://127.0.0.1:${port}`, sent, state }
})

/** A fault: the service is too busy. */
export const busy: Fault = () => ({ status: 503, body: '{"error":"Too busy"}' })
