import { connect, type Socket } from "node:net"
import { Effect, type Scope } from "effect"

/** A connection that says what no HTTP client would. It ends with the test. */
export interface RawSocket {
  readonly write: (bytes: string | Uint8Array) => void
  /** Sends a FIN or, when `abruptly`, a RST. */
  readonly leave: (abruptly?: boolean) => void
  /** What has arrived when it matches, or when the other side has closed. */
  readonly receive: (pattern: RegExp) => Effect.Effect<string>
  /** Everything that arrived, when the other side has closed; however it did. */
  readonly closed: Effect.Effect<string>
  readonly socket: Socket
}

/** Connects to a port of this machine, or to a Unix socket. */
export const rawSocket = (target: number | string): Effect.Effect<RawSocket, never, Scope.Scope> =>
  Effect.gen(function* () {
    let received = ""
    const socket = typeof target === "number" ? connect(target, "127.0.0.1") : connect(target)
    socket.setEncoding("latin1")
    socket.on("data", (text) => {
      received += text
    })
    socket.on("error", () => {})
    yield* Effect.addFinalizer(() => Effect.sync(() => socket.destroy()))
    const until = (holds: () => boolean) =>
      Effect.callback<string>((resume) => {
        const look = () => {
          if (holds() || socket.destroyed) resume(Effect.succeed(received))
        }
        socket.on("data", look)
        socket.on("close", look)
        look()
      })
    return {
      socket,
      write: (bytes) => socket.write(bytes),
      leave: (abruptly) => (abruptly ? socket.resetAndDestroy() : socket.end()),
      receive: (pattern) => until(() => pattern.test(received)),
      closed: until(() => false)
    }
  })

/** The text of a request with a body, to be sent through a raw socket. */
export const requestText = (
  path: string,
  body: string,
  headers: ReadonlyArray<string> = ["Content-Type: application/json"]
): string =>
  [
    `POST ${path} HTTP/1.1`,
    "Host: test",
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
    "",
    body
  ].join("\r\n")
