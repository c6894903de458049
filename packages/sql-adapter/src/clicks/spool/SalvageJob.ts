import type { SalvageReport } from "./SalvageReport.ts"
import type { PlacedRow } from "./SpoolRow.ts"
import { Salvage } from "./salvage/Salvage.ts"

// Some 10 ms of work: clicks that arrive meanwhile wait no longer than that.
const rowsAtOnce = 500

/** Brings the clicks of one damaged file back into the line, a step at a time. Done twice, it brings them once. */
export class SalvageJob {
  readonly file: string
  readonly #salvage: Salvage
  readonly #rows: Generator<PlacedRow>
  #inHand: Array<PlacedRow> = []

  constructor(file: string) {
    this.file = file
    this.#salvage = new Salvage(file)
    this.#rows = this.#salvage.rows()
  }

  /** Gives `restore` the next clicks; the same again when it throws. Returns the report when there are no more. */
  step(restore: (rows: ReadonlyArray<PlacedRow>) => void): SalvageReport | undefined {
    while (this.#inHand.length < rowsAtOnce) {
      const next = this.#rows.next()
      if (next.done === true) break
      this.#inHand.push(next.value)
    }
    const isLast = this.#inHand.length < rowsAtOnce
    if (this.#inHand.length > 0) restore(this.#inHand)
    this.#inHand = []
    if (!isLast) return undefined
    return {
      file: this.file,
      salvaged: this.#salvage.salvaged,
      suspected_lost: this.#salvage.suspectedLost
    }
  }

  close(): void {
    this.#salvage.close()
  }
}
