import { connect, createServer, type Server, type Socket } from "node:net"
import { Transform } from "node:stream"
import { Context, Effect, Layer, Redacted, Schedule } from "effect"
import { TestDatabase } from "./TestDatabase.ts"

/** What a client sends, or what the server answers. */
export type Place = "request" | "answer"

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
    /** Cuts one connection: the next over which these bytes come, instead of passing them on. */
    readonly cutAt: (place: Place, text: string) => Effect.Effect<void>
    /** Whether the last `cutAt` has come true. */
    readonly hasCut: Effect.Effect<boolean>
  }
>()("@clicks/sql-adapter/test/DatabaseProxy") {}

// While nobody listens on it, the port may be lent to somebody else for a moment: that is waited for.
const listen = (server: Server, port: number): Effect.Effect<number> =>
  Effect.callback<number, Error>((resume) => {
    const refused = (error: Error) => resume(Effect.fail(error))
    server.once("error", refused)
    server.listen(port, "127.0.0.1", () => {
      server.off("error", refused)
      const address = server.address()
      resume(Effect.succeed(typeof address === "object" ? (address?.port ?? 0) : 0))
    })
  }).pipe(Effect.retry(Schedule.spaced("20 millis")), Effect.orDie)

const make = Effect.gen(function* () {
  const url = new URL(Redacted.value((yield* TestDatabase).url))
  const { hostname, port: serverPort } = url
  const sockets = new Set<Socket>()
  let frozen = false
  let cut: { readonly place: Place; readonly text: string } | undefined
  const watch = (place: Place, [client, upstream]: readonly [Socket, Socket]) =>
    new Transform({
      transform: (chunk: Buffer, _, pass) => {
        if (cut?.place !== place || !chunk.includes(cut.text)) return pass(null, chunk)
        cut = undefined
        client.destroy()
        upstream.destroy()
      }
    })
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket))
    if (frozen) socket.pause()
  }
  const server = createServer((client) => {
    const upstream = connect(Number(serverPort), hostname)
    for (const socket of [client, upstream]) keep(socket)
    const pair = [client, upstream] as const
    client.pipe(watch("request", pair)).pipe(upstream).pipe(watch("answer", pair)).pipe(client)
    if (frozen) client.unpipe()
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

  const cutAt = (place: Place, text: string) =>
    Effect.sync(() => {
      cut = { place, text }
    })
  const hasCut = Effect.sync(() => cut === undefined)

  yield* Effect.addFinalizer(() => Effect.suspend(() => (server.listening ? stop : Effect.void)))
  url.host = `127.0.0.1:${port}`
  return DatabaseProxy.of({ url: Redacted.make(url.href), stop, start, freeze, cutAt, hasCut })
})

export const layer: Layer.Layer<DatabaseProxy, never, TestDatabase> = Layer.effect(DatabaseProxy, make)
