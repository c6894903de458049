/** What is measured of a queue. */
export interface Figures {
  /** Tasks a second, from the start of the worker to the last task's end. */
  readonly rate: number
  /** How many tasks were taken and not ended, as the queue's own table says, at most. */
  readonly heldMost: number
  /** Milliseconds from the call that makes a task to the start of its handler, on an idle worker. */
  readonly latencies: ReadonlyArray<number>
}

/** Runs a queue on an empty database; undefined when it is not installed. */
export type Contestant = (url: string, tasks: number) => Promise<Figures | undefined>

export const slots = 5

/** Tasks made one by one on an idle worker: enough for a p95. */
export const singles = 100
