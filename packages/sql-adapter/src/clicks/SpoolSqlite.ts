import { Spool, type SpoolEntry, SpoolError } from "@clicks/core/clicks/Spool"
import { Duration, Effect, Layer, Option, Result, type Scope } from "effect"
import { readReport } from "./spool/readReport.ts"
import type { SalvageReport } from "./spool/SalvageReport.ts"
import * as SpoolCalls from "./spool/SpoolCalls.ts"
import type { PlacedRow, SpoolRow } from "./spool/SpoolRow.ts"
import * as SpoolRowCodec from "./spool/SpoolRowCodec.ts"

export type { SalvageReport }

export interface SpoolSqliteOptions {
  /** The folder that holds the spool; made where it is missing. Several processes may use it at once. */
  readonly directory: string
  /** Space it may take on disk, the file, its log and its reserve together. At least 256 KiB. */
  readonly maxBytes: number
  /** How long an operation may take: waiting for other processes, and for a disk that hangs. */
  readonly patience?: Duration.Input
}

const defaultPatience = Duration.seconds(10)

// Others hold the file for milliseconds at a time. Less than the whole patience, so that the answer says what was in the way.
const lockShare = 0.5

const calls = ({ directory, maxBytes, patience = defaultPatience }: SpoolSqliteOptions) =>
  SpoolCalls.make({
    directory,
    maxBytes,
    patience: Math.ceil(Duration.toMillis(Duration.fromInputUnsafe(patience)) * lockShare)
  })

const oldestOf = (row: SpoolRow | null): Date | null =>
  row === null
    ? null
    : Option.getOrNull(
        Option.map(
          Result.getSuccess(SpoolRowCodec.decode({ ...row, position: 0 })),
          ({ event }) => event.received_at
        )
      )

const make = Effect.fnUntraced(function* (options: SpoolSqliteOptions) {
  const call = yield* calls(options)
  const duration = options.patience ?? defaultPatience

  const inTime = <A>(operation: string, effect: Effect.Effect<A, SpoolError>) =>
    Effect.timeoutOrElse(effect, {
      duration,
      orElse: () =>
        Effect.fail(new SpoolError({ operation, reason: "Unavailable", cause: "no answer in time" }))
    })

  // One click that this version can make nothing of must not hold up the line. It is kept in the file, beside the line.
  const readable = Effect.fnUntraced(function* (rows: ReadonlyArray<PlacedRow>) {
    const entries: Array<SpoolEntry> = []
    const unreadable: Array<number> = []
    for (const row of rows) {
      const entry = SpoolRowCodec.decode(row)
      if (Result.isSuccess(entry)) entries.push(entry.success)
      else unreadable.push(row.position)
    }
    if (unreadable.length > 0) {
      yield* Effect.logError(
        `Clicks in the spool that make no sense and were put beside the line: ${unreadable.length}`
      )
      yield* call("exclude", unreadable)
    }
    return entries
  })

  return Spool.of({
    append: (clicks) =>
      inTime(
        "append",
        Effect.suspend(() => call("append", clicks.map(SpoolRowCodec.encode)))
      ),
    peek: (limit, after = 0) => inTime("peek", Effect.flatMap(call("peek", limit, after), readable)),
    remove: (positions) => inTime("remove", call("remove", positions)),
    status: inTime("status", call("status")).pipe(
      Effect.map(({ bytes, depth, isDiskFull, oldest, setAside }) => ({
        depth,
        bytes,
        max_bytes: options.maxBytes,
        oldest: oldestOf(oldest),
        set_aside: setAside,
        disk_full: isDiskFull
      }))
    )
  })
})

/**
 * Keeps the spool in SQLite files in a folder of this machine. It always builds: while the folder or the file cannot be used,
 * operations fail with `Unavailable`, and each call tries anew. A damaged file is set aside as
 * `spool.damaged-<time>.sqlite`, what can be read of it is brought back, and a log line tells of both.
 *
 * The file is worked on in a thread of its own. With 25,000 clicks a second and a disk that takes 200 ms to sync, the
 * event loop's p99 delay is 5 ms; on the main thread it is 280 ms (10 ms to sync: 10 and 15 ms).
 */
export const layer = (options: SpoolSqliteOptions): Layer.Layer<Spool> => Layer.effect(Spool, make(options))

/** What a check found. */
export interface SpoolCheck {
  /** Clicks that wait, each as it was written. */
  readonly clicks: number
  /** Clicks that were taken out of the line because this version can make nothing of them. They are kept in the file. */
  readonly unreadable: number
  /** The damaged files, and what became of each; null while that is not known. */
  readonly set_aside: ReadonlyArray<{ readonly file: string; readonly report: SalvageReport | null }>
}

/** Reads every click that waits and salvages what has been set aside. Takes as long as it takes: seconds for a GiB. */
export const check = (options: SpoolSqliteOptions): Effect.Effect<SpoolCheck, SpoolError, Scope.Scope> =>
  Effect.gen(function* () {
    const call = yield* calls(options)
    const { setAside, ...found } = yield* call("check")
    return { ...found, set_aside: setAside.map((file) => ({ file, report: readReport(file) })) }
  })
