import { randomBytes } from "node:crypto"
import type { FileHandle } from "node:fs/promises"
import { SpoolError, type SpooledClick } from "@clicks/core/clicks/recording/Spool"
import { encode, markerBytes } from "./SegmentContent.ts"
import { lockName, type SpoolFolder, segmentName } from "./SpoolFolder.ts"

type Pending = PromiseWithResolvers<void> & { readonly clicks: ReadonlyArray<SpooledClick> }

/** The segment to which clicks are appended. Only its first `length` bytes are acknowledged. */
interface Active {
  readonly name: string
  readonly handle: FileHandle
  length: number
}

// About 9,000 clicks: large enough that new files are rare, small enough to be read into memory.
const largestSegment = 4 * 1024 ** 2

// Keeps segments small when many appends wait, because a write is never split. Each append schedules a turn, so the rest is written in later
// turns.
const mostTogether = 8

/** Appends to its own segments, with one write and one sync for all appends that arrived during the previous sync. */
export class SpoolWriter {
  readonly maxBytes: number
  readonly #folder: SpoolFolder
  #id = ""
  #release: (() => void) | undefined
  #active: Active | undefined
  /** The number of clicks acknowledged under this id. */
  #written = 0
  #pending: Array<Pending> = []
  #lastTurn: Promise<unknown> = Promise.resolve()
  #lastTime = 0
  #usedBytes = 0

  constructor(folder: SpoolFolder, maxBytes: number) {
    this.#folder = folder
    this.maxBytes = maxBytes
  }

  /** Resolves when the clicks would survive a power failure. An abort withdraws them if their write has not begun. */
  append(clicks: ReadonlyArray<SpooledClick>, signal: AbortSignal): Promise<void> {
    const pending = { clicks, ...Promise.withResolvers<void>() }
    signal.addEventListener("abort", () => {
      this.#pending = this.#pending.filter((other) => other !== pending)
    })
    this.#pending.push(pending)
    void this.#inTurn(() => this.#writePending())
    return pending.promise
  }

  isOwn(writer: string): boolean {
    return this.#id === writer
  }

  /** The number of the next click if this is the segment to which clicks are appended; otherwise undefined. */
  activeEnd(name: string): number | undefined {
    return this.#active?.name === name ? this.#written : undefined
  }

  /** Closes the segment and begins a new one, unless it is empty. */
  seal(): Promise<void> {
    return this.#inTurn(() => this.#roll())
  }

  close(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#roll()
      await this.#active?.handle.close()
      const own = (await this.#folder.segments()).filter(({ writer }) => this.isOwn(writer))
      // The name of an empty last segment shows the next process where the previous segment ends.
      if (own.some(({ first }) => first < this.#written)) return
      for (const { name } of own) await this.#folder.remove(name)
      if (this.#release !== undefined) await this.#folder.remove(lockName(this.#id))
    }).finally(() => {
      this.#release?.()
      this.#release = undefined
      this.#active = undefined
    })
  }

  #inTurn(run: () => Promise<void>): Promise<void> {
    const turn = this.#lastTurn.then(run)
    this.#lastTurn = turn.catch(() => {})
    return turn
  }

  async #writePending(): Promise<void> {
    const group = this.#pending.splice(0, mostTogether)
    if (group.length === 0) return
    try {
      await this.#write(group.flatMap(({ clicks }) => clicks))
      for (const { resolve } of group) resolve()
    } catch (cause) {
      for (const { reject } of group) reject(cause)
    }
  }

  async #write(clicks: ReadonlyArray<SpooledClick>): Promise<void> {
    await this.#checkFolder()
    this.#active ??= await this.#begin()
    const marker = Buffer.from(this.#id, "hex")
    const bytes = Buffer.concat(clicks.map((click) => encode(marker, click)))
    await this.#makeRoom(bytes.length)
    if (this.#active.length + bytes.length > Math.min(largestSegment, this.maxBytes / 8)) await this.#roll()
    this.#active ??= await this.#begin()
    const { handle, length } = this.#active
    try {
      const { bytesWritten } = await handle.write(bytes, 0, bytes.length, length)
      if (bytesWritten < bytes.length) throw new Error("The disk is full")
      await handle.datasync()
    } catch (cause) {
      await this.#abandon()
      throw cause
    }
    this.#active.length += bytes.length
    this.#usedBytes += bytes.length
    this.#written += clicks.length
  }

  /** Takes an id and its lock at the first write, and again if the folder and the lock in it were deleted. */
  async #checkFolder(): Promise<void> {
    if (this.#active !== undefined && (await this.#active.handle.stat()).nlink > 0) return
    await this.#active?.handle.close()
    this.#active = undefined
    if (this.#release !== undefined && this.#folder.has(lockName(this.#id))) return
    this.#release?.()
    this.#release = undefined
    this.#id = randomBytes(markerBytes).toString("hex")
    this.#release = this.#folder.lock(this.#id)
    this.#written = 0
  }

  /** Measures the folder only if the last measurement leaves no room: other processes write and discard too. */
  async #makeRoom(bytes: number): Promise<void> {
    if (this.#usedBytes + bytes <= this.maxBytes) return
    this.#usedBytes = await this.#folder.bytes()
    if (this.#usedBytes + bytes <= this.maxBytes) return
    throw new SpoolError({ operation: "append", reason: "Full", cause: `${this.#usedBytes} bytes are used` })
  }

  async #begin(): Promise<Active> {
    this.#usedBytes = await this.#folder.bytes()
    // Never earlier than the previous segment, even if the clock is set back: segments are read in the order of their names.
    this.#lastTime = Math.max(this.#lastTime, Date.now())
    const name = segmentName(this.#lastTime, this.#written, this.#id)
    return { name, handle: await this.#folder.create(name), length: 0 }
  }

  async #roll(): Promise<void> {
    if (this.#active === undefined || this.#active.length === 0) return
    const { handle } = this.#active
    this.#active = undefined
    await handle.close()
    // If the disk is too full for a new file, the closed one can still be drained.
    this.#active = await this.#begin().catch(() => undefined)
  }

  /** Truncates to the end of the last successful write: what is on disk after a failed write or sync is unknown. */
  async #abandon(): Promise<void> {
    const active = this.#active
    await active?.handle.truncate(active.length).catch(() => {})
    if (active?.length !== 0) return this.#roll()
    this.#active = undefined
    await active.handle.close()
    await this.#folder.remove(active.name)
  }
}
