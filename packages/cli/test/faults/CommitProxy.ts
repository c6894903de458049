import { Buffer } from "node:buffer"
import { connect, createServer, type Socket } from "node:net"
import { Context, Effect, Layer, Redacted } from "effect"
import { DatabaseProxy } from "../../../sql-adapter/test/DatabaseProxy.ts"

/**
 * Where a connection is cut. `answer`: the statement is committed, and none of its response has passed. `half`: half of the
 * response has passed. `question`: half of the statement has arrived.
 */
export type Cut = "answer" | "half" | "question"

/** A proxy in front of the database that cuts connections at the worst moments. */
export class CommitProxy extends Context.Service<
  CommitProxy,
  {
    readonly url: Redacted.Redacted
    /** Cuts the connection of the next statement of this kind, and returns when it is cut. */
    readonly cut: (where: Cut, command: "INSERT" | "SELECT") => Effect.Effect<void>
  }
>()("@clicks/cli/test/faults/CommitProxy") {}

interface Armed {
  readonly where: Cut
  readonly command: string
  readonly done: () => void
}

const commandComplete = 0x43
const readyForQuery = 0x5a
const headerLength = 5

/** Reads the server's messages as they pass and detects when a statement is committed. */
class AnswerReader {
  #rest = Buffer.alloc(0)
  #command = ""

  /** Whether the client is logged in. During login, client and server wait for each other's messages. */
  isReady = false

  /** The command that ended in these bytes, if any. PostgreSQL sends ReadyForQuery only after the commit. */
  read(chunk: Buffer): string | undefined {
    let ended: string | undefined
    this.#rest = Buffer.concat([this.#rest, chunk])
    while (this.#rest.length >= headerLength) {
      const end = 1 + this.#rest.readUInt32BE(1)
      if (this.#rest.length < end) break
      const type = this.#rest[0]
      if (type === commandComplete) this.#command = this.#rest.toString("latin1", headerLength, end - 1)
      if (type === readyForQuery) {
        ended = this.#command
        this.isReady = true
        this.#command = ""
      }
      this.#rest = this.#rest.subarray(end)
    }
    return ended
  }
}

// Only an insert is this long, because it contains its rows.
const longStatement = 1000

const half = (chunk: Buffer) => chunk.subarray(0, chunk.length >> 1)

const make = Effect.gen(function* () {
  const url = new URL(Redacted.value((yield* DatabaseProxy).url))
  const { hostname, port } = url
  const sockets = new Set<Socket>()
  let armed: Armed | undefined

  const pass = (client: Socket, upstream: Socket) => {
    const reader = new AnswerReader()
    let held: ReadonlyArray<Buffer> = []
    const cut = (passed: () => void) => {
      const { done } = armed ?? { done: () => {} }
      armed = undefined
      passed()
      client.destroySoon()
      upstream.destroySoon()
      done()
    }
    client.on("data", (chunk: Buffer) => {
      if (armed?.where === "question" && chunk.length > longStatement)
        cut(() => void upstream.write(half(chunk)))
      else upstream.write(chunk)
    })
    upstream.on("data", (chunk: Buffer) => {
      const ended = reader.read(chunk)
      held = [...held, chunk]
      const isAnswer = armed !== undefined && armed.where !== "question"
      if (isAnswer && ended?.startsWith(armed?.command ?? "")) {
        const whole = Buffer.concat(held)
        const isHalf = armed?.where === "half"
        return cut(() => void (isHalf && client.write(half(whole))))
      }
      if (isAnswer && reader.isReady && ended === undefined) return
      client.write(Buffer.concat(held))
      held = []
    })
  }

  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket))
    }
    client.on("close", () => upstream.destroy())
    upstream.on("close", () => client.destroy())
    pass(client, upstream)
  })
  const own = yield* Effect.callback<number>((resume) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resume(Effect.succeed(typeof address === "object" ? (address?.port ?? 0) : 0))
    })
  })
  yield* Effect.addFinalizer(() =>
    Effect.callback<void>((resume) => {
      server.close(() => resume(Effect.void))
      for (const socket of sockets) socket.destroy()
    })
  )
  url.host = `127.0.0.1:${own}`
  return CommitProxy.of({
    url: Redacted.make(url.href),
    cut: (where, command) =>
      Effect.callback<void>((resume) => {
        armed = { where, command, done: () => resume(Effect.void) }
      })
  })
})

export const layer: Layer.Layer<CommitProxy, never, DatabaseProxy> = Layer.effect(CommitProxy, make)
