import { connect, createServer, type Server, type Socket } from "node:net"
import { Transform } from "node:stream"
import { Context, Effect, Layer, Redacted, Schedule } from "effect"
import { TestDatabase } from "./TestDatabase.ts"

/** Bytes that a client sends or the server returns. */
export type Place = "request" | "answer"

/** A proxy to the test database that can fail: it shows what a program experiences when the database stops and recovers. */
export class DatabaseProxy extends Context.Service<
  DatabaseProxy,
  {
    /** The URL of the database through the proxy. */
    readonly url: Redacted.Redacted
    /** Closes all connections and rejects new ones, like a stopped server. */
    readonly stop: Effect.Effect<void>
    /** Accepts connections again, on the same port. */
    readonly start: Effect.Effect<void>
    /** Accepts connections and bytes but does not respond, like a frozen server, until `start`. */
    readonly freeze: Effect.Effect<void>
    /** Closes one connection: the next one on which these bytes arrive, instead of forwarding them. */
    readonly cutAt: (place: Place, text: string) => Effect.Effect<void>
    /** Whether the last `cutAt` has closed a connection. */
    readonly hasCut: Effect.Effect<boolean>
  }
>()("@clicks/sql-adapter/test/DatabaseProxy") {}

// While the proxy does not listen, another process may use the port for a moment, so this waits until it is free.
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
