import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { makeFolder } from "../../makeFolder.ts"
import type { SalvageReport } from "./SalvageReport.ts"
import { freeBytes } from "./SpoolSpace.ts"

const damagedName = /^spool\.damaged-.*\.sqlite$/

/** Where the report on a damaged file is. */
export const reportPath = (damaged: string): string => damaged.replace(/\.sqlite$/, ".json")

// What a batch of 500 clicks takes.
const leastFree = 256 * 1024

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** The names in the folder of the spool, and the moves between them. Each is made under the folder's lock, taken alone. */
export class SpoolFolder {
  readonly directory: string
  /** The file that clicks wait in. It exists only when it is whole. */
  readonly file: string
  readonly building: string
  readonly lockFile: string
  readonly salvageLockFile: string
  /** Room that is kept for taking clicks out. */
  readonly reserve: string

  constructor(directory: string) {
    this.directory = directory
    this.file = join(directory, "spool.sqlite")
    this.building = join(directory, "spool.building.sqlite")
    this.lockFile = join(directory, "spool.lock")
    this.salvageLockFile = join(directory, "spool.salvage.lock")
    this.reserve = join(directory, "spool.reserve")
  }

  make(): void {
    makeFolder(this.directory, 0o700)
  }

  /** Tells the file from one that took its place. */
  identity(): number | undefined {
    return statSync(this.file, { throwIfNoEntry: false })?.ino
  }

  walSize(): number {
    return sizeOf(`${this.file}-wal`)
  }

  bytes(): number {
    return sizeOf(this.file) + this.walSize() + sizeOf(this.reserve)
  }

  isDiskFull(): boolean {
    return freeBytes(this.directory) < leastFree
  }

  clearBuilding(): void {
    for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(this.building + suffix, { force: true })
  }

  /** Puts the new file in place. A log without its file is left of a move that was cut off, and goes where its file went. */
  install(): void {
    if (existsSync(`${this.file}-wal`)) this.#moveLog(this.#newestWithoutLog() ?? this.#damagedPath())
    renameSync(this.building, this.file)
    this.#sync()
  }

  /** Moves the damaged file, with its log, out of the way and returns its new name. */
  setAside(): string {
    const target = this.#damagedPath()
    // The file goes first: without it the log is not read, while the file without its log would pass for a whole one.
    renameSync(this.file, target)
    this.#moveLog(target)
    this.#sync()
    return target
  }

  /** The files that were set aside, oldest first. */
  damaged(): ReadonlyArray<string> {
    if (!existsSync(this.directory)) return []
    const names = readdirSync(this.directory).filter((name) => damagedName.test(name))
    return names.sort().map((name) => join(this.directory, name))
  }

  isSalvaged(damaged: string): boolean {
    return existsSync(reportPath(damaged))
  }

  writeReport(damaged: string, report: SalvageReport): void {
    const path = reportPath(damaged)
    writeFileSync(`${path}.part`, `${JSON.stringify(report, undefined, 2)}\n`)
    renameSync(`${path}.part`, path)
  }

  #damagedPath(): string {
    const time = new Date().toISOString().replaceAll(/[-:]/g, "")
    for (let attempt = 1; ; attempt++) {
      const path = join(this.directory, `spool.damaged-${time}${attempt === 1 ? "" : `-${attempt}`}.sqlite`)
      if (!existsSync(path)) return path
    }
  }

  #newestWithoutLog(): string | undefined {
    const newest = this.damaged().at(-1)
    return newest !== undefined && !existsSync(`${newest}-wal`) ? newest : undefined
  }

  #moveLog(target: string): void {
    if (existsSync(`${this.file}-wal`)) renameSync(`${this.file}-wal`, `${target}-wal`)
    rmSync(`${this.file}-shm`, { force: true })
    if (!existsSync(target)) writeFileSync(target, "")
  }

  #sync(): void {
    const folder = openSync(this.directory, "r")
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  }
}
