import { connect, type Socket } from "node:net"
import { clickRequests } from "./clickRequests.ts"

const bodyOfSuccess = '{"status":"ok"}'

/** Called with the `Click-Receipt` of each response; `none` if there is none, as with peers. */
export type OnAnswer = (connection: Connection, receipt: string) => void

let next = 0

// Cheap, because it shares the processors with the server. Processor time per request at 64 connections: 7.6 µs here, 15.5 µs with
// autocannon 9; plain node:http itself takes 20 µs. With autocannon, plain node:http reached 29,000 instead of 38,000 requests/s.
/**
 * A keep-alive connection with one request at a time. A response other than a success, or a connection closed by the server, throws
 * and ends the benchmark: a load with failures measures nothing.
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
      // `onread` bypasses the stream, which would allocate a buffer and emit an event for each response.
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
