import { randomFillSync } from "node:crypto"
import { appendFileSync, rmSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { freeBytes } from "./SpoolSpace.ts"

// Room for the changes of one row, where the disk has next to none.
const least = 64 * 1024

/**
 * Room on the disk that clicks are not given: to take some out of the line, SQLite has to write first. Without it, a spool
 * that has filled its disk could never be emptied.
 */
export class SpoolReserve {
  readonly #file: string
  readonly #most: number

  /** `most` is how many bytes to keep; two thirds of what there is, where that is less. */
  constructor(file: string, most: number) {
    this.#file = file
    this.#most = most
  }

  /** Keeps the room where it was given up, and more where there is more by now. Throws what the disk says when there is none. */
  hold(): void {
    const held = statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0
    if (held >= this.#most) return
    const size = Math.min(this.#most, Math.floor((2 / 3) * (freeBytes(dirname(this.#file)) + held)))
    if (held === 0) this.#add(Math.max(least, size))
    else if (size > held) this.#add(size - held)
  }

  // What fits of it before the disk is full is a reserve too.
  #add(bytes: number): void {
    // Zeros take no room on file systems that compress.
    appendFileSync(this.#file, randomFillSync(new Uint8Array(bytes)), { mode: 0o600 })
  }

  release(): void {
    rmSync(this.#file, { force: true })
  }
}
