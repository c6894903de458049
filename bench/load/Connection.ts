import { connect, type Socket } from "node:net"
import { clickRequests } from "./clickRequests.ts"

const bodyOfSuccess = '{"status":"ok"}'

/** Is told what `Click-Receipt` said; peers say nothing, which is `none`. */
export type OnAnswer = (connection: Connection, receipt: string) => void

let next = 0

// It shares the processors with what it measures. Processor time for a request, at 64 connections: this 7.6 µs, autocannon 9
// 15.5 µs, and node:http itself 20 µs; with autocannon the limit came out a quarter lower (29,000/s instead of 38,000).
/**
 * One keep-alive connection that holds one request at a time. An answer that is no success, or an end that is not ours, throws where
 * nobody catches it: a load with failures measures nothing.
 */
export class Connection {
  readonly #socket: Socket
  #answer = ""
  #isClosing = false

  private constructor(socket: Socket) {
    this.#socket = socket
  }

  static open(port: number, onAnswer: OnAnswer): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const buffer = Buffer.alloc(4096)
      const callback = (length: number) => {
        connection.#receive(buffer.toString("latin1", 0, length), onAnswer)
        return true
      }
      // `onread` leaves out the stream: no buffer and no event for each answer.
      const socket = connect({ port, host: "127.0.0.1", onread: { buffer, callback } })
      const connection = new Connection(socket)
      socket.setNoDelay(true)
      socket.once("error", reject)
      socket.once("connect", () => resolve(connection))
      socket.once("close", () => {
        if (!connection.#isClosing) throw new Error(`The server on port ${port} closed a connection`)
      })
    })
  }

  /** Sends the next request. */
  send(): void {
    const request = clickRequests[next++ % clickRequests.length]
    if (request !== undefined) this.#socket.write(request)
  }

  close(): void {
    this.#isClosing = true
    this.#socket.destroy()
  }

  #receive(text: string, onAnswer: OnAnswer): void {
    this.#answer += text
    if (!this.#answer.startsWith("HTTP/1.1 200")) throw new Error(`Not a success: ${this.#answer}`)
    if (!this.#answer.endsWith(bodyOfSuccess)) return
    const receipt = /click-receipt: (\w+)/i.exec(this.#answer)?.[1] ?? "none"
    this.#answer = ""
    onAnswer(this, receipt)
  }
}
