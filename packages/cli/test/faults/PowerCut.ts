import { execFileSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** The command that runs a program and records its writes, call by call. */
export const recorder = (trace: string): ReadonlyArray<string> => [
  "strace",
  // The program, not strace, is our child process, so that it can be killed as usual.
  "-D",
  "-f",
  "-y",
  "-xx",
  ...["-s", "100000"],
  ...["-e", "trace=openat,pwrite64,ftruncate,fsync,fdatasync,rename,unlink"],
  ...["-o", trace]
]

export const canRecord = (): boolean => {
  try {
    execFileSync("strace", ["-o", "/dev/null", "true"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}

type Change = (content: Buffer) => Buffer

/** A file as the system shows it, and as it is on the disk. A file whose name is not on the disk is lost. */
interface File {
  synced: Buffer
  readonly pending: Array<Change>
  isNamed: boolean
}

const bytesOf = (text: string): Buffer => Buffer.from(text.replaceAll("\\x", ""), "hex")

const write =
  (data: Buffer, offset: number): Change =>
  (content) => {
    const larger = Buffer.alloc(Math.max(content.length, offset + data.length))
    content.copy(larger)
    data.copy(larger, offset)
    return larger
  }

const truncate =
  (length: number): Change =>
  (content) =>
    Buffer.concat([content], length)

const created = /openat\([^"]*"([^"]*)", [^)]*O_CREAT/
const written = /pwrite64\(\d+<([^>]*)>, "([^"]*)", \d+, (\d+)/
const truncated = /ftruncate\(\d+<([^>]*)>, (\d+)/
const syncedFile = /f(?:data)?sync\(\d+<([^>]*)>/
const renamed = /rename\("([^"]*)", "([^"]*)"/
const unlinked = /unlink\("([^"]*)"/

/** The files of a folder, and their synced state. */
export class Disk {
  readonly #folder: string
  readonly #files = new Map<string, File>()

  /** The current content of the folder counts as synced. */
  constructor(folder: string) {
    this.#folder = folder
    if (!existsSync(folder)) return
    for (const name of readdirSync(folder)) {
      const path = join(folder, name)
      this.#files.set(path, { synced: readFileSync(path), pending: [], isNamed: true })
    }
  }

  /** Brings the folder into the state after a power cut: only synced data remains. */
  cut(trace: string): void {
    for (const call of readFileSync(trace, "utf8").split("\n")) this.#replay(call)
    for (const name of readdirSync(this.#folder)) {
      const path = join(this.#folder, name)
      const file = this.#files.get(path)
      if (file?.isNamed === true) writeFileSync(path, file.synced)
      else rmSync(path)
    }
  }

  // The spool makes its calls in sequence, so the trace has the right order.
  #replay(call: string): void {
    const [, createdPath] = created.exec(call) ?? []
    if (createdPath !== undefined) this.#file(createdPath)
    const [, writtenTo, data, offset] = written.exec(call) ?? []
    if (writtenTo !== undefined)
      this.#file(writtenTo).pending.push(write(bytesOf(data ?? ""), Number(offset)))
    const [, cutFile, length] = truncated.exec(call) ?? []
    if (cutFile !== undefined) this.#file(cutFile).pending.push(truncate(Number(length)))
    const [, syncedPath] = syncedFile.exec(call) ?? []
    if (syncedPath !== undefined) this.#sync(pathOf(syncedPath))
    const [, from, to] = renamed.exec(call) ?? []
    if (from !== undefined && to !== undefined) this.#rename(pathOf(from), pathOf(to))
    const [, gone] = unlinked.exec(call) ?? []
    if (gone !== undefined) this.#files.delete(pathOf(gone))
  }

  #file(text: string): File {
    const path = pathOf(text)
    const file = this.#files.get(path) ?? { synced: Buffer.alloc(0), pending: [], isNamed: false }
    this.#files.set(path, file)
    return file
  }

  /** Syncing a file writes its content. Syncing the folder writes the names of its files. */
  #sync(path: string): void {
    if (path === this.#folder) for (const file of this.#files.values()) file.isNamed = true
    const file = this.#files.get(path)
    for (const change of file?.pending.splice(0) ?? [])
      if (file !== undefined) file.synced = change(file.synced)
  }

  #rename(from: string, to: string): void {
    const file = this.#files.get(from)
    if (file === undefined) return
    this.#files.delete(from)
    this.#files.set(to, file)
  }
}

/** Paths are in hexadecimal, too, except those that strace looks up itself. */
const pathOf = (text: string): string => (text.includes("\\x") ? bytesOf(text).toString() : text)
