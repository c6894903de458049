import { connect, createServer, type Server, type Socket } from "node:net"
import { Context, Effect, Layer, Redacted } from "effect"
import { TestDatabase } from "./TestDatabase.ts"

/** A way to the test database that can fail: what a program sees when the database goes away and comes back. */
export class DatabaseProxy extends Context.Service<
  DatabaseProxy,
  {
    /** The database by way of the proxy. */
    readonly url: Redacted.Redacted
    /** Cuts all connections and refuses new ones, as a server that is stopped. */
    readonly stop: Effect.Effect<void>
    /** Takes connections again, on the same port. */
    readonly start: Effect.Effect<void>
    /** Takes connections and bytes and answers nothing, as a server that is frozen, until `start`. */
    readonly freeze: Effect.Effect<void>
  }
>()("@clicks/sql-adapter/test/DatabaseProxy") {}

const listen = (server: Server, port: number): Effect.Effect<number> =>
  Effect.callback((resume) => {
    server.listen(port, "127.0.0.1", () => {
      const address = server.address()
      resume(Effect.succeed(typeof address === "object" ? (address?.port ?? 0) : 0))
    })
  })

const make = Effect.gen(function* () {
  const url = new URL(Redacted.value((yield* TestDatabase).url))
  const { hostname, port: serverPort } = url
  const sockets = new Set<Socket>()
  let frozen = false
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket))
    if (frozen) socket.pause()
  }
  const server = createServer((client) => {
    const upstream = connect(Number(serverPort), hostname)
    for (const socket of [client, upstream]) keep(socket)
    client.pipe(upstream).pipe(client)
    if (frozen) client.unpipe(upstream)
    client.on("close", () => upstream.destroy())
    upstream.on("close", () => client.destroy())
  })
  const port = yield* listen(server, 0)

  const stop = Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
    for (const socket of sockets) socket.destroy()
  })
  const start = Effect.suspend(() => {
    frozen = false
    for (const socket of sockets) socket.destroy()
    return server.listening ? Effect.void : Effect.asVoid(listen(server, port))
  })
  const freeze = Effect.sync(() => {
    frozen = true
    for (const socket of sockets) socket.unpipe().pause()
  })

  yield* Effect.addFinalizer(() => Effect.suspend(() => (server.listening ? stop : Effect.void)))
  url.host = `127.0.0.1:${port}`
  return DatabaseProxy.of({ url: Redacted.make(url.href), stop, start, freeze })
})

export const layer: Layer.Layer<DatabaseProxy, never, TestDatabase> = Layer.effect(DatabaseProxy, make)
