import { connect, type Socket } from "node:net"

const headEnd = "\r\n\r\n"
const marker = '"product_id":"n'

/** The clicks that a reader must get: those whose number modulo `of` is `remainder`. */
export interface Share {
  readonly of: number
  readonly remainder: number
}

/**
 * Reads a stream of clicks whose `product_id` is `n` and a number, and counts how often each arrived. Parses the bytes itself, because a
 * thousand readers share two processors with the service.
 */
export class StreamReader {
  readonly share: Share
  readonly #key: string
  readonly #seen = new Map<number, number>()
  #socket: Socket | undefined
  #text = ""
  #event = ""
  #isOpen = false
  /** Characters left in the current chunk, including its line end. */
  #left = 0
  #lastId = ""
  #onOpen = () => {}
  duplicates = 0

  constructor(key: string, share: Share) {
    this.#key = key
    this.share = share
  }

  get count(): number {
    return this.#seen.size
  }

  missing(total: number): number {
    let missing = 0
    for (let n = this.share.remainder; n < total; n += this.share.of) if (!this.#seen.has(n)) missing++
    return missing
  }

  /** Connects, or reconnects after the last event. Resolves when the stream has begun, rejects if the service rejects it. */
  open(port: number): Promise<void> {
    // Unread bytes of a killed service are ignored, because the new stream repeats their events.
    this.#socket?.destroy()
    this.#text = ""
    this.#event = ""
    this.#left = 0
    this.#isOpen = false
    const filter = this.share.of === 1 ? "" : `?campaign_id=c-${this.share.remainder}`
    const resume = this.#lastId === "" ? "" : `Last-Event-ID: ${this.#lastId}\r\n`
    const socket = connect(port, "127.0.0.1")
    this.#socket = socket
    socket.setEncoding("latin1")
    socket.on("error", () => {})
    socket.on("data", (text: string) => this.#read(text))
    socket.write(
      `GET /api/events/product-clicks/stream${filter} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${this.#key}\r\n${resume}\r\n`
    )
    return new Promise((resolve, reject) => {
      this.#onOpen = resolve
      socket.once("close", () => reject(new Error("The stream was rejected")))
    })
  }

  /** Reads nothing more. */
  pause(): void {
    this.#socket?.pause()
  }

  close(): void {
    this.#socket?.destroy()
  }

  #read(text: string): void {
    this.#text += text
    if (!this.#isOpen) {
      const end = this.#text.indexOf(headEnd)
      if (end === -1) return
      if (!this.#text.startsWith("HTTP/1.1 200")) {
        this.close()
        return
      }
      this.#isOpen = true
      this.#text = this.#text.slice(end + headEnd.length)
    }
    this.#unchunk()
  }

  #unchunk(): void {
    let at = 0
    while (true) {
      if (this.#left === 0) {
        const line = this.#text.indexOf("\r\n", at)
        if (line === -1) break
        this.#left = Number.parseInt(this.#text.slice(at, line), 16) + 2
        at = line + 2
      }
      const end = Math.min(this.#text.length, at + this.#left)
      if (end === at) break
      this.#left -= end - at
      // Without the line end of the chunk.
      this.#take(this.#left < 2 ? this.#text.slice(at, end - (2 - this.#left)) : this.#text.slice(at, end))
      at = end
    }
    this.#text = this.#text.slice(at)
  }

  #take(text: string): void {
    const all = this.#event + text
    const end = all.lastIndexOf("\n\n") + 2
    if (end === 1) {
      this.#event = all
      return
    }
    this.#event = all.slice(end)
    const whole = all.slice(0, end)
    const id = whole.lastIndexOf("id: ")
    this.#lastId = whole.slice(id + 4, whole.indexOf("\n", id))
    for (let at = whole.indexOf(marker); at !== -1; at = whole.indexOf(marker, at)) {
      at += marker.length
      this.#note(Number(whole.slice(at, whole.indexOf('"', at))))
    }
    this.#onOpen()
  }

  #note(number: number): void {
    const times = (this.#seen.get(number) ?? 0) + 1
    this.#seen.set(number, times)
    if (times > 1) this.duplicates++
  }
}
