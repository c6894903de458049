import { connect, type Socket } from "node:net"

export interface Answer {
  readonly status: number
  readonly headers: string
  readonly body: string
}

const headerEnd = "\r\n\r\n"

/** An answer that has arrived to its end. */
const toAnswer = (text: string): Answer | undefined => {
  const end = text.indexOf(headerEnd)
  if (end === -1) return undefined
  const headers = text.slice(0, end)
  const length = Number(/content-length: *(\d+)/i.exec(headers)?.[1] ?? 0)
  const body = text.slice(end + headerEnd.length)
  return body.length < length ? undefined : { status: Number(text.slice(9, 12)), headers, body }
}

/** A keep-alive connection of a client that takes as little of the processor as it can: the service needs it. */
export class HttpConnection {
  readonly #socket: Socket
  #text = ""
  #waiting:
    | { readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void }
    | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true).setEncoding("latin1")
    socket.on("data", (chunk: string) => this.#take(chunk))
    socket.on("error", () => socket.destroy())
    socket.on("close", () => this.#waiting?.reject(new Error("The connection broke")))
  }

  /** Fails when nobody listens. */
  static open(port: number): Promise<HttpConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1")
      socket.once("error", reject)
      socket.once("connect", () => {
        socket.off("error", reject)
        resolve(new HttpConnection(socket))
      })
    })
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed && this.#socket.writable
  }

  /** Sends one request; fails when the connection breaks before its answer is whole. */
  send(request: string | Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (!this.isOpen) return reject(new Error("The connection is closed"))
      this.#waiting = { resolve, reject }
      this.#socket.write(request)
    })
  }

  /** Writes bytes without waiting for an answer. */
  write(bytes: Buffer): void {
    if (this.isOpen) this.#socket.write(bytes)
  }

  /** Ends without a word: with a FIN, or with a RST as a client whose process is killed with unread data. */
  cut(abruptly = false): void {
    if (abruptly) this.#socket.resetAndDestroy()
    else this.#socket.destroy()
  }

  #take(chunk: string): void {
    this.#text += chunk
    const answer = toAnswer(this.#text)
    if (answer === undefined) return
    this.#text = ""
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.resolve(answer)
    if (/^connection: *close/im.test(answer.headers)) this.#socket.destroy()
  }
}
