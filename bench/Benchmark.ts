import type { PostgresServer } from "./processes/PostgresServer.ts"

/** What a run of the benchmarks was asked for. */
export interface Run {
  readonly postgres: PostgresServer
  /** How often each side has its turn, when that was said. */
  readonly rounds: number | undefined
  /** Few rows and seconds: to see that a benchmark works, not to measure. */
  readonly quick: boolean
  /** Sizes of tables, ascending. */
  readonly rows: ReadonlyArray<number>
}

/** A figure that something was promised of. */
export interface Bar {
  readonly what: string
  /** As it is shown: with its unit, and its spread where there is one. */
  readonly measured: string
  readonly bar: string
  readonly isMet: boolean
}

export interface Benchmark {
  /** What is measured against what. */
  readonly compares: string
  /** On two cores, with the default rounds. */
  readonly takes: string
  readonly run: (run: Run) => Promise<ReadonlyArray<Bar>>
}
