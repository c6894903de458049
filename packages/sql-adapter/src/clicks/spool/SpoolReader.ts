import type { SpoolBatch, SpooledClick, SpoolStatus } from "@clicks/core/clicks/recording/Spool"
import { type Findings, findClick, isDamaged, readClicks, readFrames } from "./SegmentContent.ts"
import { lockName, type Segment, type SpoolFolder } from "./SpoolFolder.ts"
import type { SpoolWriter } from "./SpoolWriter.ts"

/** The result of a check: the number of waiting clicks, and the damaged files. */
export interface SpoolCheck {
  readonly clicks: number
  readonly damaged: ReadonlyArray<Findings & { readonly file: string }>
}

/** Reads and discards the segments of this process and of dead processes, whose locks it takes over. */
export class SpoolReader {
  readonly #folder: SpoolFolder
  readonly #writer: SpoolWriter
  /** The locks of dead writers, each with the function that releases it. */
  readonly #adopted = new Map<string, () => void>()
  /** Segments that were read to their end and are not discarded yet. */
  readonly #read = new Map<string, { readonly segment: Segment; readonly findings: Findings }>()

  constructor(folder: SpoolFolder, writer: SpoolWriter) {
    this.#folder = folder
    this.#writer = writer
  }

  async *waiting(batchSize: number): AsyncGenerator<SpoolBatch> {
    const others = new Set<string>()
    let after = ""
    while (true) {
      const segments = await this.#folder.segments()
      const next = segments.find(
        ({ isSetAside, name, writer }) => !isSetAside && name > after && this.#owns(writer, others)
      )
      if (next === undefined) return
      const sealed = await this.#sealed(next)
      if (sealed !== undefined) yield* this.#batches(sealed, batchSize)
      after = next.name
    }
  }

  /** Removes the segment, or sets it aside if it is damaged. Returns the findings. */
  async discard(name: string): Promise<Findings | undefined> {
    const read = this.#read.get(name)
    if (read === undefined) return undefined
    const { findings, segment } = read
    await (isDamaged(findings) ? this.#folder.setAside(segment) : this.#folder.remove(name))
    this.#read.delete(name)
    await this.#letGo(segment)
    return findings
  }

  async status(): Promise<SpoolStatus> {
    const segments = await this.#folder.segments()
    const waiting = segments.filter(({ isSetAside }) => !isSetAside)
    const depths = await Promise.all(waiting.map((segment) => this.#depth(segment)))
    const oldest = waiting.find((_, index) => depths[index] !== 0)
    return {
      depth: depths.reduce((sum, depth) => sum + depth, 0),
      bytes: await this.#folder.bytes(),
      max_bytes: this.#writer.maxBytes,
      oldest: oldest === undefined ? null : new Date(oldest.spooledAt),
      set_aside: segments.length - waiting.length,
      disk_full: await this.#folder.isDiskFull()
    }
  }

  /** Finds a waiting click. Reads one segment at a time, newest first. */
  async find(id: string): Promise<SpooledClick | undefined> {
    for (const { isSetAside, name, writer } of (await this.#folder.segments()).toReversed()) {
      const bytes = isSetAside ? undefined : await this.#folder.read(name)
      const found = bytes === undefined ? undefined : findClick(bytes, writer, id)
      if (found !== undefined) return found
    }
    return undefined
  }

  async check(): Promise<SpoolCheck> {
    const damaged: Array<SpoolCheck["damaged"][number]> = []
    let clicks = 0
    for (const segment of await this.#folder.segments()) {
      const bytes = await this.#folder.read(segment.name)
      if (bytes === undefined) continue
      for (const found of readClicks(bytes, segment)) {
        if (!("readable" in found)) continue
        if (!segment.isSetAside) clicks += found.readable
        if (isDamaged(found)) damaged.push({ file: this.#folder.path(segment.name), ...found })
      }
    }
    return { clicks, damaged }
  }

  close(): void {
    for (const release of this.#adopted.values()) release()
  }

  async *#batches(segment: Segment, batchSize: number): AsyncGenerator<SpoolBatch> {
    const bytes = await this.#folder.read(segment.name)
    // Another process drained the segment before this one got the lock.
    if (bytes === undefined) return this.#letGo(segment)
    let clicks: Array<SpooledClick> = []
    for (const found of readClicks(bytes, segment)) {
      const isLast = "readable" in found
      if (isLast) this.#read.set(segment.name, { segment, findings: found })
      else clicks.push(found)
      if (!isLast && clicks.length < batchSize) continue
      yield { clicks, segment: segment.name, isLast }
      clicks = []
    }
  }

  /** Returns the segment when no more clicks can be appended to it; undefined if it is still empty. */
  async #sealed(segment: Segment): Promise<Segment | undefined> {
    if (segment.end !== undefined || !this.#writer.isOwn(segment.writer)) return segment
    // Always waits for the writer's turn: after its creation and before its first append, a segment looks empty but must not be discarded.
    await this.#writer.seal()
    if (this.#writer.activeEnd(segment.name) !== undefined) return undefined
    return (await this.#folder.segments()).find(({ name }) => name === segment.name)
  }

  /** The number of clicks. The last segment of another writer must be read to count them. */
  async #depth({ end: known, first, name, writer }: Segment): Promise<number> {
    const end = known ?? this.#writer.activeEnd(name)
    if (end !== undefined) return end - first
    const bytes = (await this.#folder.read(name)) ?? Buffer.alloc(0)
    return [...readFrames(bytes, writer)].filter((frame) => typeof frame !== "number").length
  }

  /** Releases the lock of a dead writer after its last segment is discarded. */
  async #letGo({ writer }: Segment): Promise<void> {
    const release = this.#adopted.get(writer)
    const segments = await this.#folder.segments()
    if (release === undefined || segments.some((other) => other.writer === writer && !other.isSetAside))
      return
    await this.#folder.remove(lockName(writer))
    this.#adopted.delete(writer)
    release()
  }

  /** Whether the writer is this process or dead. `others` collects live writers, so that the lock of each is tried only once. */
  #owns(writer: string, others: Set<string>): boolean {
    if (others.has(writer)) return false
    if (this.#writer.isOwn(writer) || this.#adopted.has(writer)) return true
    const release = this.#folder.lock(writer)
    if (release === undefined) others.add(writer)
    else this.#adopted.set(writer, release)
    return release !== undefined
  }
}
