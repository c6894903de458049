import type { Server } from "node:http"
import { createServer, type Server as NetServer, type Socket } from "node:net"
import { Effect } from "effect"
import { HttpListenError } from "./HttpListenError.ts"

const listen = (host: string, port: number, onConnection: (socket: Socket) => void) =>
  Effect.callback<NetServer, HttpListenError>((resume) => {
    // The same options as those of node:http for sockets that it accepts itself.
    const listener = createServer({ allowHalfOpen: true, keepAlive: true, noDelay: true }, onConnection)
    listener.once("error", (cause) => resume(Effect.fail(HttpListenError.of(`${host}:${port}`, cause))))
    listener.listen({ host, port }, () => resume(Effect.succeed(listener)))
  })

/** Also serves connections to a second port, until the scope closes. */
export const listenToo = Effect.fnUntraced(function* (server: Server, host: string, port: number) {
  const listener = yield* Effect.acquireRelease(
    listen(host, port, (socket) => server.emit("connection", socket)),
    (listener) => Effect.sync(() => listener.close())
  )
  const address = listener.address()
  const found = address !== null && typeof address === "object" ? address.port : port
  yield* Effect.logInfo(`Process port (metrics and health): ${host}:${found}`)
})
