/** The figures of a queue. */
export interface Figures {
  /** Tasks per second, from the start of the worker to the end of the last task. */
  readonly rate: number
  /** The highest number of running tasks, according to the queue's own table. */
  readonly heldMost: number
  /** Milliseconds from the call that creates a task to the start of its handler, on an idle worker. */
  readonly latencies: ReadonlyArray<number>
}

/** Runs a queue on an empty database; undefined if it is not installed. */
export type Contestant = (url: string, tasks: number) => Promise<Figures | undefined>

export const slots = 5

/** Tasks created one by one on an idle worker: enough for a p95. */
export const singles = 100
