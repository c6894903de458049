import { ProcessLock } from "./ProcessLock.ts"
import type { SpoolFile } from "./SpoolFile.ts"
import * as SpoolOpener from "./SpoolOpener.ts"
import { isDamage, isOutOfSpace, SpoolTrouble, toTrouble } from "./SpoolTrouble.ts"

export type SharedSpoolFileOptions = Omit<SpoolOpener.OpenOptions, "lock">

const mostMoves = 3

/**
 * The spool file of a folder, which other processes work in too.
 *
 * Whoever works in the file shares the folder's lock, whoever moves it has the lock alone: so nobody writes into a file
 * that was moved away. A damaged file is set aside by the first who notices.
 */
export class SharedSpoolFile {
  readonly #options: SharedSpoolFileOptions
  #opened: { readonly lock: ProcessLock; readonly file: SpoolFile } | undefined
  #verified: number | undefined

  constructor(options: SharedSpoolFileOptions) {
    this.#options = options
  }

  /** Works in the file, or in the new one when it turns out to be damaged. Throws `SpoolTrouble`. */
  use<A>(run: (file: SpoolFile) => A): A {
    try {
      return this.#replacingDamaged(run)
    } catch (cause) {
      // Whatever was wrong, the next call begins anew; except that a full disk has no room to open anything.
      if (!isOutOfSpace(cause)) this.close()
      throw toTrouble(cause)
    }
  }

  close(): void {
    const opened = this.#opened
    if (opened === undefined) return
    this.#opened = undefined
    const { file, lock } = opened
    try {
      // The last to close deletes the log, by its name: which must not be that of a new file by then.
      lock.shared(() => file.close())
    } catch {
      file.close()
    }
    lock.close()
  }

  #replacingDamaged<A>(run: (file: SpoolFile) => A): A {
    try {
      return this.#whereItIs(run)
    } catch (cause) {
      if (!isDamage(cause) || this.#opened === undefined) throw cause
      const { file, lock } = this.#opened
      SpoolOpener.setAside({ ...this.#options, lock }, file, cause)
      return this.#whereItIs(run)
    }
  }

  #whereItIs<A>(run: (file: SpoolFile) => A): A {
    for (let moves = 0; moves < mostMoves; moves++) {
      const { file, lock } = this.#open()
      const done = lock.shared(() => {
        if (this.#options.folder.identity() !== file.inode) return undefined
        if (this.#verified !== file.inode) file.verify()
        this.#verified = file.inode
        return { result: run(file) }
      })
      if (done !== undefined) return done.result
      this.close()
    }
    throw new SpoolTrouble("Unavailable", "The spool was moved away again and again")
  }

  #open() {
    if (this.#opened !== undefined) return this.#opened
    const { folder, patience } = this.#options
    folder.make()
    const lock = new ProcessLock(folder.lockFile, patience)
    try {
      this.#opened = { lock, file: SpoolOpener.open({ ...this.#options, lock }) }
      return this.#opened
    } catch (cause) {
      lock.close()
      throw cause
    }
  }
}
