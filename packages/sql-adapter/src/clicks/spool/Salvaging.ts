import { ProcessLock } from "./ProcessLock.ts"
import { SalvageJob } from "./SalvageJob.ts"
import type { SalvageReport } from "./SalvageReport.ts"
import type { SharedSpoolFile } from "./SharedSpoolFile.ts"
import type { SpoolFolder } from "./SpoolFolder.ts"

/** `later`: something is in the way that may pass, or another process is at it. */
export type SalvageProgress = "more" | "later" | "done"

/** Brings back what can be read of the files that were set aside, one process at a time. */
export class Salvaging {
  readonly #folder: SpoolFolder
  readonly #spool: SharedSpoolFile
  readonly #onSalvaged: (report: SalvageReport) => void
  #current: { readonly job: SalvageJob; readonly lock: ProcessLock } | undefined

  constructor(folder: SpoolFolder, spool: SharedSpoolFile, onSalvaged: (report: SalvageReport) => void) {
    this.#folder = folder
    this.#spool = spool
    this.#onSalvaged = onSalvaged
  }

  /** Does a little. Never throws. */
  step(): SalvageProgress {
    try {
      const waiting = this.#current?.job.file ?? this.#next()
      if (waiting === undefined) return "done"
      this.#current ??= this.#begin()
      if (this.#current === undefined) return "later"
      const report = this.#current.job.step((rows) => this.#spool.use((file) => file.restore(rows)))
      if (report !== undefined) this.#finish(report)
      return "more"
    } catch {
      return "later"
    }
  }

  close(): void {
    this.#current?.job.close()
    this.#current?.lock.close()
    this.#current = undefined
  }

  #next(): string | undefined {
    return this.#folder.damaged().find((file) => !this.#folder.isSalvaged(file))
  }

  #begin() {
    const lock = new ProcessLock(this.#folder.salvageLockFile, 0)
    try {
      // Looked up once more: another process may have finished just now.
      const file = lock.tryAlone() ? this.#next() : undefined
      if (file !== undefined) return { job: new SalvageJob(file), lock }
    } catch (cause) {
      lock.close()
      throw cause
    }
    lock.close()
    return undefined
  }

  #finish(report: SalvageReport): void {
    this.#folder.writeReport(report.file, report)
    this.#onSalvaged(report)
    this.close()
  }
}
