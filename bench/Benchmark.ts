import type { PostgresServer } from "./processes/PostgresServer.ts"

/** The options of a run. */
export interface Run {
  readonly postgres: PostgresServer
  /** Turns per side, if given. */
  readonly rounds: number | undefined
  /** Few rows and seconds: checks that a benchmark works, measures nothing. */
  readonly quick: boolean
  /** Sizes of tables, ascending. */
  readonly rows: ReadonlyArray<number>
}

/** A figure with a target. */
export interface Bar {
  readonly what: string
  /** The figure as it is shown, with its unit and, if there is one, its spread. */
  readonly measured: string
  readonly bar: string
  readonly isMet: boolean
}

export interface Benchmark {
  /** What is measured, and what it is compared with. */
  readonly compares: string
  /** The duration on two cores, with the default rounds. */
  readonly takes: string
  readonly run: (run: Run) => Promise<ReadonlyArray<Bar>>
}
