import { connect, type Socket } from "node:net"
import { Effect, type Scope } from "effect"

/** A complete response. */
export interface Answer {
  readonly status: number
  readonly headers: string
  readonly body: string
}

const headerEnd = "\r\n\r\n"

const toAnswer = (text: string): Answer | undefined => {
  const end = text.indexOf(headerEnd)
  if (end === -1) return undefined
  const headers = text.slice(0, end)
  const length = Number(/content-length: *(\d+)/i.exec(headers)?.[1] ?? 0)
  const body = text.slice(end + headerEnd.length)
  return body.length < length ? undefined : { status: Number(text.slice(9, 12)), headers, body }
}

/** A connection that sends arbitrary bytes and uses little processor time. */
export class RawConnection {
  readonly socket: Socket
  #received = ""
  readonly #waiting = new Set<() => void>()

  /** Connects to a port of this machine, or to a Unix socket. */
  constructor(target: number | string) {
    this.socket = typeof target === "number" ? connect(target, "127.0.0.1") : connect(target)
    this.socket.setNoDelay(true).setEncoding("latin1")
    this.socket.on("data", (text: string) => {
      this.#received += text
      this.#look()
    })
    this.socket.on("error", () => {})
    this.socket.on("close", () => this.#look())
  }

  /** Returns when the connection is open; fails if it is refused. */
  static open(port: number): Promise<RawConnection> {
    const connection = new RawConnection(port)
    return new Promise((resolve, reject) => {
      connection.socket.once("connect", () => resolve(connection)).once("error", reject)
    })
  }

  get isOpen(): boolean {
    return !this.socket.destroyed && this.socket.writable
  }

  write(bytes: string | Uint8Array): void {
    if (this.isOpen) this.socket.write(bytes)
  }

  /** Sends one request and returns its response. Fails if the connection is lost before the response is complete. */
  async send(request: string | Uint8Array): Promise<Answer> {
    this.write(request)
    await this.#until(() => toAnswer(this.#received) !== undefined)
    const answer = toAnswer(this.#received)
    if (answer === undefined) throw new Error("The connection broke")
    this.#received = ""
    if (/^connection: *close/im.test(answer.headers)) this.socket.destroy()
    return answer
  }

  /** Returns what has arrived as soon as it matches or the connection is closed. */
  receive(pattern: RegExp): Promise<string> {
    return this.#until(() => pattern.test(this.#received))
  }

  /** Returns everything that has arrived when the connection is closed, for whatever reason. */
  closed(): Promise<string> {
    return this.#until(() => false)
  }

  /** Closes the connection: with a FIN, or with a RST like a client that is killed with unread data. */
  cut(abruptly = false): void {
    if (abruptly) this.socket.resetAndDestroy()
    else this.socket.destroy()
  }

  #look(): void {
    for (const look of this.#waiting) look()
  }

  #until(holds: () => boolean): Promise<string> {
    return new Promise((resolve) => {
      const look = () => {
        if (!holds() && !this.socket.destroyed) return
        this.#waiting.delete(look)
        resolve(this.#received)
      }
      this.#waiting.add(look)
      look()
    })
  }
}

/** The same for tests with Effect. */
export interface RawSocket {
  readonly write: (bytes: string | Uint8Array) => void
  /** Sends a FIN or, when `abruptly`, a RST. */
  readonly leave: (abruptly?: boolean) => void
  readonly receive: (pattern: RegExp) => Effect.Effect<string>
  readonly closed: Effect.Effect<string>
  readonly socket: Socket
}

/** Opens a connection that ends with the test. */
export const rawSocket = (target: number | string): Effect.Effect<RawSocket, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => new RawConnection(target)),
    (connection) => Effect.sync(() => connection.cut())
  ).pipe(
    Effect.map((connection) => ({
      socket: connection.socket,
      write: (bytes) => connection.write(bytes),
      leave: (abruptly) => (abruptly ? connection.cut(true) : connection.socket.end()),
      receive: (pattern) => Effect.promise(() => connection.receive(pattern)),
      closed: Effect.promise(() => connection.closed())
    }))
  )

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
