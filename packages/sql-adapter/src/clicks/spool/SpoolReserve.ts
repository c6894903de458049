import { randomFillSync } from "node:crypto"
import { rmSync, statfsSync, statSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"

// Room for the changes of one row, where the disk has next to none.
const least = 64 * 1024

/**
 * Room on the disk that clicks are not given: to take some out of the line, SQLite has to write first. Without it, a spool
 * that has filled its disk could never be emptied.
 */
export class SpoolReserve {
  readonly #file: string
  readonly #most: number

  /** `most` is how many bytes to keep; half of what is free, where that is less. */
  constructor(file: string, most: number) {
    this.#file = file
    this.#most = most
  }

  /** Sees that the room is kept, whoever gave it free. Throws what the disk says when there is none. */
  hold(): void {
    if (statSync(this.#file, { throwIfNoEntry: false }) !== undefined) return
    const { bavail, bsize } = statfsSync(dirname(this.#file))
    const size = Math.min(this.#most, Math.max(least, Math.floor((bavail * bsize) / 2)))
    try {
      // Zeros take no room on file systems that compress.
      writeFileSync(this.#file, randomFillSync(new Uint8Array(size)), { mode: 0o600 })
    } catch (cause) {
      this.release()
      throw cause
    }
  }

  release(): void {
    rmSync(this.#file, { force: true })
  }
}
