import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from "node:fs"
import { pageSize } from "../SpoolSpace.ts"
import * as WriteAheadLog from "./WriteAheadLog.ts"

const nothing = new Uint8Array(0)

/** The pages of a damaged file as its log leaves them, whatever its header says. */
export class DamagedPages {
  readonly count: number
  readonly #descriptor: number
  readonly #log: WriteAheadLog.WriteAheadLog
  /** By page number, where its newest form beyond the log's damage begins. */
  readonly #newest: ReadonlyMap<number, number>

  constructor(path: string) {
    this.#log = WriteAheadLog.read(existsSync(`${path}-wal`) ? readFileSync(`${path}-wal`) : nothing)
    this.#newest = new Map(this.#log.beyond.map(({ offset, page }) => [page, offset]))
    this.#descriptor = openSync(path, "r")
    const inFile = Math.ceil(fstatSync(this.#descriptor).size / pageSize)
    this.count = Math.max(inFile, ...this.#log.pages.keys())
  }

  /** The page of this number, counted from 1; undefined when the disk does not give it. */
  read(number: number): Uint8Array | undefined {
    const logged = this.#log.pages.get(number)
    if (logged !== undefined) return this.#logged(logged)
    const page = new Uint8Array(pageSize)
    try {
      const length = readSync(this.#descriptor, page, 0, pageSize, (number - 1) * pageSize)
      return length > 0 ? page : undefined
    } catch {
      return undefined
    }
  }

  /** Forms of pages that the log has beyond its damage. What they hold is committed or was about to be. */
  *beyond(): Generator<Uint8Array> {
    for (const { offset } of this.#log.beyond) yield this.#logged(offset)
  }

  /** The page of this number as those of `beyond` go on in it. */
  readBeyond(number: number): Uint8Array | undefined {
    const logged = this.#newest.get(number)
    return logged === undefined ? this.read(number) : this.#logged(logged)
  }

  #logged(offset: number): Uint8Array {
    return this.#log.bytes.subarray(offset, offset + pageSize)
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}
