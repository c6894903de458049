import { Buffer } from "node:buffer"
import type { Socket } from "node:net"
import { answerText } from "./answerText.ts"
import {
  type Head,
  type Limits,
  type PartialRequest,
  type PlainRequest,
  readPlainRequest
} from "./plainRequest.ts"

/** What a connection needs of its server. */
export interface PlainServer<Sender> extends Limits {
  /** Milliseconds that a connection without a request is kept. */
  readonly keepAlive: number
  /** The lines of an answer that say so. */
  readonly kept: string
  /** Whether answers end their connections. */
  readonly isStopping: () => boolean
  /** What requests with these headers from that address have in common. */
  readonly senderOf: (headers: Head["headers"], peer: string | undefined) => Sender
  /** Answers, at once or later, with the first lines of an answer in HTTP/1.1 and its body; never fails. */
  readonly answer: (sender: Sender, body: Buffer, send: (head: string, body: string) => void) => void
  /** The first whole request of a connection has arrived. */
  readonly onFirst: (socket: Socket) => void
  /** Goes on with a connection that sends something else. The bytes that came have not been touched. */
  readonly leave: (socket: Socket) => void
  /** Ends a connection whose client ended it within a request. */
  readonly refuse: (socket: Socket) => unknown
}

// A body that comes in pieces is waited for that long; what takes longer is for those who watch slow clients.
const patienceMillis = 1_000

/**
 * A connection, for as long as its client sends plain clicks only. Requests that are sent ahead wait for the answers before them.
 */
export class PlainConnection<Sender> {
  readonly #socket: Socket
  readonly #server: PlainServer<Sender>
  readonly #onEnd: () => void
  readonly #peer: string | undefined
  #last: { readonly head: Head; readonly sender: Sender } | undefined
  #held: Buffer | undefined
  // A request that has not come as a whole: how many bytes are waited for, and until when.
  #wanted = 0
  #deadline = 0
  #isAnswering = false
  #isReading = false
  #isFresh = true

  /** `onEnd` is called when the connection is closed or left to others. */
  constructor(socket: Socket, server: PlainServer<Sender>, onEnd: () => void) {
    this.#socket = socket
    this.#server = server
    this.#onEnd = onEnd
    // The socket remembers it when it was asked, also for those it is left to: a page that sends a click and is closed at once is gone before its click is read.
    this.#peer = socket.remoteAddress
    socket.on("data", this.#onData)
    socket.on("end", this.#onFinished)
    socket.on("timeout", this.#onTimeout)
    socket.on("drain", this.#onDrain)
    socket.on("error", this.#onError)
    socket.on("close", onEnd)
    socket.setTimeout(patienceMillis)
  }

  /** Closes it if nothing is under way on it. */
  closeIdle(): void {
    if (!this.#isAnswering && this.#held === undefined) this.#socket.destroy()
  }

  /** Whether a whole request has arrived and waits for its answer. */
  get isAnswering(): boolean {
    return this.#isAnswering
  }

  close(): void {
    this.#socket.destroy()
  }

  readonly #onData = (bytes: Buffer): void => {
    this.#held = this.#held === undefined ? bytes : Buffer.concat([this.#held, bytes])
    if (this.#wanted > 0 && performance.now() > this.#deadline) this.#leave()
    else if (this.#held.length >= this.#wanted) this.#read()
  }

  // A client may end its side while it waits for answers; what it has sent before is read all the same.
  readonly #onFinished = (): void => {
    if (!this.#isAnswering) this.#read()
  }

  readonly #onTimeout = (): void => {
    const isIdle = !this.#isFresh && this.#held === undefined
    // While answering, either the client does not read or the recorder does not answer.
    if (this.#isAnswering || isIdle) this.#socket.destroy()
    else this.#leave()
  }

  // A client that does not read its answers gets no more of them.
  readonly #onDrain = (): void => {
    this.#isAnswering = false
    this.#read()
  }

  // "close" follows.
  readonly #onError = (): void => {}

  #read(): void {
    if (this.#isReading) return
    this.#isReading = true
    while (this.#held !== undefined && !this.#isAnswering) {
      const request = readPlainRequest(this.#held, this.#server, this.#last?.head)
      if (request === undefined || "wanted" in request) {
        this.#isReading = false
        this.#waitOrLeave(request)
        return
      }
      this.#take(request, this.#held)
    }
    this.#isReading = false
    if (this.#held !== undefined) this.#socket.pause()
    else if (this.#socket.readableEnded && !this.#isAnswering) this.#socket.end()
    else if (this.#socket.isPaused()) this.#socket.resume()
  }

  // Nothing can be put back on a connection that has ended, so one that ends after something else is refused, too.
  #waitOrLeave(request: PartialRequest | undefined): void {
    if (this.#socket.readableEnded) this.#server.refuse(this.#socket)
    else if (request === undefined) this.#leave()
    else this.#wait(request)
  }

  #wait({ wanted }: PartialRequest): void {
    if (this.#wanted === 0) this.#deadline = performance.now() + patienceMillis
    this.#wanted = wanted
    this.#socket.setTimeout(patienceMillis)
    if (this.#socket.isPaused()) this.#socket.resume()
  }

  #take({ body, head, size }: PlainRequest, bytes: Buffer): void {
    this.#held = size < bytes.length ? bytes.subarray(size) : undefined
    if (this.#isFresh || this.#wanted > 0) this.#socket.setTimeout(this.#server.keepAlive)
    if (this.#isFresh) this.#server.onFirst(this.#socket)
    this.#isFresh = false
    this.#wanted = 0
    this.#isAnswering = true
    this.#server.answer(this.#senderOf(head), body, this.#send)
  }

  #senderOf(head: Head): Sender {
    if (head !== this.#last?.head) {
      this.#last = { head, sender: this.#server.senderOf(head.headers, this.#peer) }
    }
    return this.#last.sender
  }

  readonly #send = (head: string, body: string): void => {
    const socket = this.#socket
    if (socket.destroyed) return
    const isLast = socket.readableEnded && this.#held === undefined
    if (this.#server.isStopping() || isLast) {
      // A client that does not close its side must not hold up the end.
      socket.end(answerText(head, "Connection: close", body), () => socket.destroy())
    } else if (socket.write(answerText(head, this.#server.kept, body))) this.#onDrain()
  }

  #leave(): void {
    const socket = this.#socket
    socket.off("data", this.#onData)
    socket.off("end", this.#onFinished)
    socket.off("timeout", this.#onTimeout)
    socket.off("drain", this.#onDrain)
    socket.off("error", this.#onError)
    socket.off("close", this.#onEnd)
    socket.setTimeout(0)
    this.#onEnd()
    if (this.#held !== undefined) socket.unshift(this.#held)
    this.#server.leave(socket)
    socket.resume()
  }
}
