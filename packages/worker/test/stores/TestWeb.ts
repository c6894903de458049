import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

/** The handler of a path of the test server. */
export type Page = (request: IncomingMessage, response: ServerResponse) => void

/** A web server on 127.0.0.1 to which a test adds pages. Unknown paths return 404. */
export interface TestWeb {
  readonly origin: string
  readonly port: number
  /** Adds or replaces the page of a path, and returns its URL. */
  readonly page: (path: string, page: Page) => string
  /** The requested paths, in order. */
  readonly requests: ReadonlyArray<string>
}

/** Responds with a JSON value, or with a text unchanged. */
export const json =
  (value: unknown): Page =>
  (_, response) => {
    response.setHeader("content-type", "application/json")
    response.end(JSON.stringify(value))
  }

/** Responds with a status and headers. */
export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}, body = ""): Page =>
  (_, response) => {
    response.writeHead(code, headers).end(body)
  }

export const redirect = (location: string, code = 302): Page => status(code, { location })

const listen = (server: Server) =>
  Effect.callback<number>((resume) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      resume(Effect.succeed(port))
    })
  })

const close = (server: Server) =>
  Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
    server.closeAllConnections()
  })

/** Starts a web server that ends with the scope. */
export const start = Effect.gen(function* () {
  const pages = new Map<string, Page>()
  const requests: Array<string> = []
  const server = createServer((request, response) => {
    const path = request.url ?? "/"
    requests.push(path)
    const page = pages.get(path) ?? status(404)
    page(request, response)
  })
  const port = yield* Effect.acquireRelease(listen(server), () => close(server))
  const origin = `http://127.0.0.1:${port}`
  const web: TestWeb = {
    origin,
    port,
    requests,
    page: (path, page) => {
      pages.set(path, page)
      return origin + path
    }
  }
  return web
})
