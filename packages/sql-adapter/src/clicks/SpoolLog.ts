import { Spool, SpoolError } from "@clicks/core/clicks/recording/Spool"
import { Duration, Effect, Layer, Stream } from "effect"
import { type Findings, isDamaged } from "./spool/SegmentContent.ts"
import { SpoolFolder } from "./spool/SpoolFolder.ts"
import { type SpoolCheck, SpoolReader } from "./spool/SpoolReader.ts"
import { SpoolFull, SpoolWriter } from "./spool/SpoolWriter.ts"

export type { SpoolCheck }

export interface SpoolLogOptions {
  /** The folder that holds the spool; made by the first append. Several processes may use it at once. */
  readonly directory: string
  /** Bytes that all files in it may use together. At least 256 KiB. */
  readonly maxBytes: number
  /** How long an operation may take, for a disk that hangs. */
  readonly patience?: Duration.Input
}

const defaultPatience = Duration.seconds(10)

const toError = (operation: string) => (cause: unknown) =>
  new SpoolError({ operation, reason: cause instanceof SpoolFull ? "Full" : "Unavailable", cause })

const report = (segment: string, findings: Findings): Effect.Effect<void> => {
  const { damaged_bytes, lost, readable, torn_bytes } = findings
  if (isDamaged(findings)) {
    const loss = `${damaged_bytes} bytes, ${lost ?? "an unknown number of"} clicks lost`
    return Effect.logError(
      `The spool file ${segment} was damaged: ${loss}. The other ${readable} clicks are stored; it was set aside as damaged-*`
    )
  }
  return torn_bytes === 0
    ? Effect.void
    : Effect.logWarning(`${segment} ended in ${torn_bytes} bytes that were never acknowledged; removed`)
}

const open = ({ directory, maxBytes }: SpoolLogOptions) => {
  const folder = new SpoolFolder(directory)
  const writer = new SpoolWriter(folder, maxBytes)
  return { writer, reader: new SpoolReader(folder, writer) }
}

const make = Effect.fnUntraced(function* (options: SpoolLogOptions) {
  const { reader, writer } = open(options)
  const close = Effect.tryPromise(() => writer.close().finally(() => reader.close()))
  yield* Effect.addFinalizer(() => close.pipe(Effect.timeoutOption("5 seconds"), Effect.ignore))
  const call = <A>(operation: string, run: (signal: AbortSignal) => Promise<A>) =>
    Effect.tryPromise({ try: run, catch: toError(operation) }).pipe(
      Effect.timeoutOrElse({
        duration: options.patience ?? defaultPatience,
        orElse: () => Effect.fail(toError(operation)("no answer in time"))
      })
    )

  return Spool.of({
    append: (clicks) =>
      clicks.length === 0 ? Effect.void : call("append", (signal) => writer.append(clicks, signal)),
    waiting: (batchSize) =>
      Stream.suspend(() => Stream.fromAsyncIterable(reader.waiting(batchSize), toError("waiting"))),
    discard: (segment) =>
      Effect.flatMap(
        call("discard", () => reader.discard(segment)),
        (findings) => (findings === undefined ? Effect.void : report(segment, findings))
      ),
    status: call("status", () => reader.status())
  })
})

/**
 * Keeps the spool in files in a folder of this machine: an append-only log in segments, checksummed record by record, synced
 * once per batch. It always builds: while the folder cannot be used, operations fail with `Unavailable`, and the next call
 * tries again. A damaged segment is set aside when all that can be read of it is stored.
 */
export const layer = (options: SpoolLogOptions): Layer.Layer<Spool> => Layer.effect(Spool, make(options))

/** Reads every file of the spool: how many clicks wait, and which files are damaged. A second for a GiB in memory. */
export const check = (options: SpoolLogOptions): Effect.Effect<SpoolCheck, SpoolError> =>
  Effect.tryPromise({ try: () => open(options).reader.check(), catch: toError("check") })
