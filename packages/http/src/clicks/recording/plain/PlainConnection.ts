import type { Buffer } from "node:buffer"
import type { Socket } from "node:net"
import { Option } from "effect"
import { Headers, type HttpServerResponse } from "effect/http"
import { rawResponse } from "../../../responses/rawResponse.ts"
import type { Sender } from "../clickOrigin.ts"
import type { ClickSender } from "../recordOne.ts"
import { type Head, type Limits, readPlainRequest } from "./plainRequest.ts"

/** The server as a plain connection uses it. */
export interface PlainServer extends Limits {
  /** Milliseconds of inactivity after which a connection is closed. */
  readonly silentAtMost: number
  /** The header lines of a response after which the connection stays open. */
  readonly kept: string
  /** Whether connections are closed after the response. */
  readonly isStopping: () => boolean
  readonly senderOf: (sender: Sender) => ClickSender
  /** Records a click and responds, synchronously or later. Never fails. */
  readonly record: (
    sender: ClickSender,
    body: Buffer,
    respond: (response: HttpServerResponse.HttpServerResponse) => void
  ) => void
  /** Called when the first request of a connection has arrived. */
  readonly onFirst: (socket: Socket) => void
  /** Hands a connection over to Node's HTTP server. */
  readonly leave: (socket: Socket) => void
  /** Rejects what the client sent before it half-closed the connection. */
  readonly refuse: (socket: Socket) => void
}

// How long a new connection may send nothing before it is handed over to Node, whose limits on slow clients then begin.
const patienceMillis = 1_000

/** A connection that bypasses Node's HTTP server as long as its client sends plain clicks, one at a time and each in one piece. */
export class PlainConnection {
  readonly #socket: Socket
  readonly #server: PlainServer
  readonly #onEnd: () => void
  readonly #remoteAddress: Option.Option<string>
  #last: { readonly head: Head; readonly sender: ClickSender } | undefined
  /** Bytes that the client sent before it received its response. */
  #ahead: Buffer | undefined
  #isAnswering = false
  #isFresh = true

  /** Calls `onEnd` when the connection is closed or handed over to Node. */
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

  /** Closes the connection if no request is in progress. */
  closeIdle(): void {
    if (!this.#isAnswering) this.#socket.destroy()
  }

  /** Whether a request has arrived and its response has not been sent. */
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

  // A client may half-close the connection while it waits for the response.
  readonly #onFinished = (): void => {
    if (!this.#isAnswering) this.#socket.end()
  }

  readonly #onTimeout = (): void => {
    if (this.#isFresh) this.#leave()
    // Either the connection is idle, or the client does not read, or the recorder does not respond.
    else this.#socket.destroy()
  }

  // "close" follows.
  readonly #onError = (): void => {}

  #take(bytes: Buffer): void {
    const request = readPlainRequest(bytes, this.#server, this.#last?.head)
    if (request === undefined) {
      // A half-closed connection cannot be handed over, because nothing can be put back into its stream.
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
      // A client that does not close its side must not keep the connection open.
      socket.end(rawResponse(response, "Connection: close"), () => socket.destroy())
      return
    }
    // Until a client has read this response, its next request is not processed.
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
