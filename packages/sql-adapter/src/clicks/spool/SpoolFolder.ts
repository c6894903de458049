import { existsSync } from "node:fs"
import { type FileHandle, open, readdir, readFile, rename, rm, stat, statfs } from "node:fs/promises"
import { dirname, join } from "node:path"
import * as FileLock from "../../FileLock.ts"
import { makeFolder } from "../../makeFolder.ts"

/** A file of records. Each writer numbers the clicks that it acknowledges. */
export interface Segment {
  readonly name: string
  readonly spooledAt: number
  readonly writer: string
  /** The number of its first click. */
  readonly first: number
  /** The number of the first click after it, if the name of a file contains it. */
  readonly end: number | undefined
  /** Whether it was set aside because it is damaged. */
  readonly isSetAside: boolean
}

const digits = (value: number, count: number) => String(value).padStart(count, "0")

/** Sorting by name puts the oldest segment first, and the segments of a writer in the order in which they were written. */
export const segmentName = (spooledAt: number, first: number, writer: string): string =>
  `${digits(spooledAt, 13)}-${digits(first, 12)}-${writer}.log`

export const lockName = (writer: string): string => `${writer}.lock`

const pattern = /^(damaged-)?(\d{13})-(\d{12})-([0-9a-f]{16})(?:-(\d+))?\.log$/

const unlessMissing = async <A>(found: Promise<A>): Promise<A | undefined> => {
  try {
    return await found
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined
    throw cause
  }
}

const syncNames = async (path: string): Promise<void> => {
  const folder = await open(path)
  await folder.sync().finally(() => folder.close())
}

// Space for a batch of 500 clicks.
const leastFree = 256 * 1024

/** The files of the spool. Any number of processes share the folder: each writes segments of its own, under a lock. */
export class SpoolFolder {
  readonly #directory: string

  constructor(directory: string) {
    this.#directory = directory
  }

  path(name: string): string {
    return join(this.#directory, name)
  }

  /** The segments of all writers, oldest first, followed by those that were set aside. */
  async segments(): Promise<ReadonlyArray<Segment>> {
    const next = new Map<string, number>()
    const found = (await this.#names()).toReversed().flatMap((name): ReadonlyArray<Segment> => {
      const [, aside, spooledAt, firstText, writer, given] = pattern.exec(name) ?? []
      if (writer === undefined) return []
      const first = Number(firstText)
      const isSetAside = aside !== undefined
      const written = given === undefined ? undefined : Number(given)
      const end = isSetAside ? written : next.get(writer)
      if (!isSetAside) next.set(writer, first)
      return [{ name, spooledAt: Number(spooledAt), writer, first, end, isSetAside }]
    })
    return found.toReversed()
  }

  /** The size of all files in bytes. */
  async bytes(): Promise<number> {
    const files = await Promise.all((await this.#names()).map((name) => unlessMissing(stat(this.path(name)))))
    return files.reduce((sum, file) => sum + (file?.size ?? 0), 0)
  }

  async isDiskFull(): Promise<boolean> {
    for (let folder = this.#directory; ; folder = dirname(folder)) {
      const disk = await unlessMissing(statfs(folder))
      if (disk !== undefined) return disk.bavail * disk.bsize < leastFree
    }
  }

  /** The content of the file; undefined if it is missing. */
  read(name: string): Promise<Buffer | undefined> {
    return unlessMissing(readFile(this.path(name)))
  }

  /** Creates a file. Its name survives a power failure. */
  async create(name: string): Promise<FileHandle> {
    const handle = await open(this.path(name), "wx", 0o600)
    try {
      // The folders above may be new as well.
      const above = dirname(this.#directory)
      for (const folder of [this.#directory, above, dirname(above)]) await syncNames(folder)
      return handle
    } catch (cause) {
      await handle.close()
      throw cause
    }
  }

  async remove(name: string): Promise<void> {
    await rm(this.path(name), { force: true })
  }

  /** Renames a damaged segment, which needs no free space. */
  async setAside({ end, name }: Segment): Promise<void> {
    const suffix = end === undefined ? ".log" : `-${end}.log`
    await unlessMissing(rename(this.path(name), this.path(`damaged-${name.replace(".log", suffix)}`)))
  }

  /** Takes the lock of the writer. Returns undefined if the writer is alive or another process drains its segments. */
  lock(writer: string): (() => void) | undefined {
    makeFolder(this.#directory, 0o700)
    return FileLock.tryAlone(this.path(lockName(writer)))
  }

  has(name: string): boolean {
    return existsSync(this.path(name))
  }

  async #names(): Promise<ReadonlyArray<string>> {
    return ((await unlessMissing(readdir(this.#directory))) ?? []).sort()
  }
}
