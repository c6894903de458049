import { existsSync, readFileSync } from "node:fs"
import type { ProcessLock } from "./ProcessLock.ts"
import { SpoolFile } from "./SpoolFile.ts"
import type { SpoolFolder } from "./SpoolFolder.ts"
import { isDamage, SpoolDamaged } from "./SpoolTrouble.ts"
import * as WriteAheadLog from "./salvage/WriteAheadLog.ts"
import { create } from "./spoolSchema.ts"

export interface OpenOptions {
  readonly folder: SpoolFolder
  readonly lock: ProcessLock
  readonly maxBytes: number
  /** How long to wait for other processes, in milliseconds. */
  readonly patience: number
  /** Told when a damaged file was set aside: its new name, and what was wrong. */
  readonly onSetAside: (file: string, cause: unknown) => void
}

const assertLogWhole = (folder: SpoolFolder): void => {
  const path = `${folder.file}-wal`
  if (existsSync(path) && WriteAheadLog.read(readFileSync(path)).isDamaged) {
    throw new SpoolDamaged("The write-ahead log is damaged in the middle")
  }
}

const begin = ({ folder }: OpenOptions): void => {
  folder.clearBuilding()
  create(folder.building, Date.now())
  folder.install()
}

const replace = (options: OpenOptions, cause: unknown): void => {
  options.onSetAside(options.folder.setAside(), cause)
  begin(options)
}

const openExisting = ({ folder, maxBytes, patience }: OpenOptions): SpoolFile => {
  assertLogWhole(folder)
  return new SpoolFile(folder, folder.identity() ?? 0, maxBytes, patience)
}

/** Opens the spool: a new one where there is none, or where the one that is there cannot be opened for its damage. */
export const open = (options: OpenOptions): SpoolFile =>
  options.lock.alone(() => {
    if (options.folder.identity() === undefined) begin(options)
    try {
      return openExisting(options)
    } catch (cause) {
      if (!isDamage(cause)) throw cause
      replace(options, cause)
      return openExisting(options)
    }
  })

/** Sets the damaged file aside and begins a new one, unless another process has done so. */
export const setAside = (options: OpenOptions, file: SpoolFile, cause: unknown): void =>
  options.lock.alone(() => {
    if (options.folder.identity() === file.inode) replace(options, cause)
  })
