import { countsOf, mergeMetrics } from "./mergeMetrics.ts"

/**
 * What the processes of a service have last said of themselves. A counter must not fall while the service runs: what a process
 * has counted stays in the sum when it is too busy to answer, and when it has ended.
 */
export class KnownMetrics {
  readonly #running = new Map<number, string>()
  #ended = ""

  /** A process that runs has said this. */
  said(id: number, text: string): void {
    this.#running.set(id, text)
  }

  ended(id: number): void {
    const last = this.#running.get(id)
    if (last === undefined) return
    this.#running.delete(id)
    this.#ended = mergeMetrics([this.#ended, countsOf(last)])
  }

  /** The metrics of all as those of one. */
  get all(): string {
    return mergeMetrics([this.#ended, ...this.#running.values()])
  }
}
