import type { SalvageReport } from "./SalvageReport.ts"
import { type SalvageProgress, Salvaging } from "./Salvaging.ts"
import { SharedSpoolFile } from "./SharedSpoolFile.ts"
import { SpoolFolder } from "./SpoolFolder.ts"
import type { LocalCheck, LocalStatus, SpoolOperations } from "./SpoolOperations.ts"
import type { PlacedRow, SpoolRow } from "./SpoolRow.ts"

export interface LocalSpoolOptions {
  readonly directory: string
  readonly maxBytes: number
  /** How long to wait for other processes, in milliseconds. */
  readonly patience: number
}

/** Told of what a person should know. */
export interface LocalSpoolListener {
  readonly onSetAside: (file: string, cause: unknown) => void
  readonly onSalvaged: (report: SalvageReport) => void
}

/** The spool in a folder of this machine, shared with other processes. Its calls block the thread and throw `SpoolTrouble`. */
export class LocalSpool implements SpoolOperations {
  readonly #folder: SpoolFolder
  readonly #file: SharedSpoolFile
  readonly #salvaging: Salvaging

  constructor({ directory, maxBytes, patience }: LocalSpoolOptions, listener: LocalSpoolListener) {
    const { onSalvaged, onSetAside } = listener
    this.#folder = new SpoolFolder(directory)
    this.#file = new SharedSpoolFile({ folder: this.#folder, maxBytes, patience, onSetAside })
    this.#salvaging = new Salvaging(this.#folder, this.#file, onSalvaged)
  }

  append(rows: ReadonlyArray<SpoolRow>): void {
    if (rows.length > 0) this.#file.use((file) => file.append(rows))
  }

  peek(limit: number, after: number): ReadonlyArray<PlacedRow> {
    return this.#file.use((file) => file.peek(limit, after))
  }

  remove(positions: ReadonlyArray<number>): void {
    if (positions.length > 0) this.#file.use((file) => file.remove(positions))
  }

  exclude(positions: ReadonlyArray<number>): void {
    this.#file.use((file) => file.exclude(positions))
  }

  status(): LocalStatus {
    return this.#file.use((file) => ({
      ...file.status(),
      bytes: this.#folder.bytes(),
      setAside: this.#folder.damaged().length,
      isDiskFull: this.#folder.isDiskFull()
    }))
  }

  /** Reads every click that waits, and salvages what has been set aside. */
  check(): LocalCheck {
    this.#file.use((file) => file.readAll())
    while (this.salvage() === "more") {}
    return this.#file.use((file) => ({
      clicks: file.readAll(),
      unreadable: file.unreadable(),
      setAside: this.#folder.damaged()
    }))
  }

  /** Salvages a little of what has been set aside. */
  salvage(): SalvageProgress {
    return this.#salvaging.step()
  }

  close(): void {
    this.#salvaging.close()
    this.#file.close()
  }
}
