import type { Buffer } from "node:buffer"
import type { Socket } from "node:net"
import { Option } from "effect"
import { Headers, type HttpServerResponse } from "effect/http"
import { rawResponse } from "../../../responses/rawResponse.ts"
import type { Sender } from "../clickOrigin.ts"
import type { ClickSender } from "../recordOne.ts"
import { type Head, type Limits, readPlainRequest } from "./plainRequest.ts"

/** What a connection needs of its server. */
export interface PlainServer extends Limits {
  /** Milliseconds that a connection is kept on which nothing moves. */
  readonly silentAtMost: number
  /** The header lines of a response that keeps its connection. */
  readonly kept: string
  /** Whether responses end their connections. */
  readonly isStopping: () => boolean
  readonly senderOf: (sender: Sender) => ClickSender
  /** Answers, at once or later. Never fails. */
  readonly record: (
    sender: ClickSender,
    body: Buffer,
    respond: (response: HttpServerResponse.HttpServerResponse) => void
  ) => void
  /** The first request of a connection has arrived. */
  readonly onFirst: (socket: Socket) => void
  /** Leaves a connection to Node's HTTP. */
  readonly leave: (socket: Socket) => void
  /** Refuses what the client sent before it ended its side. */
  readonly refuse: (socket: Socket) => void
}

// Node's limits on slow clients begin when a connection is left to it.
const patienceMillis = 1_000

/** A connection, for as long as its client sends plain clicks, one at a time and each in one piece. */
export class PlainConnection {
  readonly #socket: Socket
  readonly #server: PlainServer
  readonly #onEnd: () => void
  readonly #remoteAddress: Option.Option<string>
  #last: { readonly head: Head; readonly sender: ClickSender } | undefined
  /** What the client sent before it was answered. */
  #ahead: Buffer | undefined
  #isAnswering = false
  #isFresh = true

  /** `onEnd` is called when the connection is closed or left to Node. */
  constructor(socket: Socket, server: PlainServer, onEnd: () => void) {
    this.#socket = socket
    this.#server = server
    this.#onEnd = onEnd
    this.#remoteAddress = Option.fromUndefinedOr(socket.remoteAddress)
    socket.on("data", this.#onData)
    socket.on("end", this.#onFinished)
    socket.on("timeout", this.#onTimeout)
    socket.on("drain", this.#onAnswered)
    socket.on("error", this.#onError)
    socket.on("close", onEnd)
    socket.setTimeout(patienceMillis)
  }

  /** Closes it if no request is under way on it. */
  closeIdle(): void {
    if (!this.#isAnswering) this.#socket.destroy()
  }

  /** Whether a request has arrived, and not its answer. */
  get isAnswering(): boolean {
    return this.#isAnswering
  }

  close(): void {
    this.#socket.destroy()
  }

  readonly #onData = (bytes: Buffer): void => {
    if (this.#isAnswering) {
      this.#ahead = bytes
      this.#socket.pause()
    } else this.#take(bytes)
  }

  // A client may end its side while it waits for its answer.
  readonly #onFinished = (): void => {
    if (!this.#isAnswering) this.#socket.end()
  }

  readonly #onTimeout = (): void => {
    if (this.#isFresh) this.#leave()
    // While answering, either the client does not read or the recorder does not answer.
    else this.#socket.destroy()
  }

  // "close" follows.
  readonly #onError = (): void => {}

  #take(bytes: Buffer): void {
    const request = readPlainRequest(bytes, this.#server, this.#last?.head)
    if (request === undefined) {
      // Nothing can be put back on a connection that has ended.
      if (this.#socket.readableEnded) this.#server.refuse(this.#socket)
      else this.#leave(bytes)
      return
    }
    if (this.#isFresh) {
      this.#isFresh = false
      this.#socket.setTimeout(this.#server.silentAtMost)
      this.#server.onFirst(this.#socket)
    }
    this.#isAnswering = true
    this.#server.record(this.#senderOf(request.head), request.body, this.#respond)
  }

  #senderOf(head: Head): ClickSender {
    if (head !== this.#last?.head) {
      const headers = Headers.fromRecordUnsafe(head.headers)
      const sender = { headers, remoteAddress: this.#remoteAddress, url: head.url }
      this.#last = { head, sender: this.#server.senderOf(sender) }
    }
    return this.#last.sender
  }

  readonly #respond = (response: HttpServerResponse.HttpServerResponse): void => {
    const socket = this.#socket
    if (socket.destroyed) return
    if (this.#server.isStopping() || (socket.readableEnded && this.#ahead === undefined)) {
      // A client that does not close its side must not hold up the end.
      socket.end(rawResponse(response, "Connection: close"), () => socket.destroy())
      return
    }
    // A client that does not read its answers gets no more of them.
    if (socket.write(rawResponse(response, this.#server.kept))) this.#onAnswered()
  }

  readonly #onAnswered = (): void => {
    this.#isAnswering = false
    const bytes = this.#ahead
    if (bytes === undefined) return
    this.#ahead = undefined
    this.#take(bytes)
    this.#socket.resume()
  }

  #leave(bytes?: Buffer): void {
    const socket = this.#socket
    socket.off("data", this.#onData)
    socket.off("end", this.#onFinished)
    socket.off("timeout", this.#onTimeout)
    socket.off("drain", this.#onAnswered)
    socket.off("error", this.#onError)
    socket.off("close", this.#onEnd)
    socket.setTimeout(0)
    this.#onEnd()
    if (bytes !== undefined) socket.unshift(bytes)
    this.#server.leave(socket)
    socket.resume()
  }
}
