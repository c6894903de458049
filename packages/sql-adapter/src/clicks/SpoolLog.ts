import { Spool, SpoolError } from "@clicks/core/clicks/recording/Spool"
import { Duration, Effect, Layer, Option, Semaphore, Stream } from "effect"
import { type Findings, isDamaged } from "./spool/SegmentContent.ts"
import { SpoolFolder } from "./spool/SpoolFolder.ts"
import { type SpoolCheck, SpoolReader } from "./spool/SpoolReader.ts"
import { SpoolWriter } from "./spool/SpoolWriter.ts"

export type { SpoolCheck }

export interface SpoolLogOptions {
  /** The folder of the spool; created by the first append. Several processes may use it at once. */
  readonly directory: string
  /** The maximum size of all its files together, in bytes. At least 256 KiB. */
  readonly maxBytes: number
  /** The maximum duration of an operation, in case the disk hangs. */
  readonly timeout?: Duration.Input
}

const defaultTimeout = Duration.seconds(10)

const toError = (operation: string) => (cause: unknown) =>
  cause instanceof SpoolError ? cause : new SpoolError({ operation, reason: "Unavailable", cause })

const report = Effect.fnUntraced(function* (segment: string, findings: Findings) {
  const { damaged_bytes, lost, readable, torn_bytes } = findings
  if (isDamaged(findings)) {
    const loss = `${damaged_bytes} bytes, ${lost ?? "an unknown number of"} clicks lost`
    yield* Effect.logError(
      `The spool file ${segment} was damaged: ${loss}. The other ${readable} clicks are stored; it was set aside as damaged-*`
    )
  } else if (torn_bytes > 0) {
    yield* Effect.logWarning(`${segment} ended in ${torn_bytes} bytes that were never acknowledged; removed`)
  }
})

const open = ({ directory, maxBytes }: SpoolLogOptions) => {
  const folder = new SpoolFolder(directory)
  const writer = new SpoolWriter(folder, maxBytes)
  return { writer, reader: new SpoolReader(folder, writer) }
}

const make = Effect.fnUntraced(function* (options: SpoolLogOptions) {
  const { reader, writer } = open(options)
  const turn = yield* Semaphore.make(1)
  const close = Effect.tryPromise(() => writer.close().finally(() => reader.close()))
  yield* Effect.addFinalizer(() => close.pipe(Effect.timeoutOption("5 seconds"), Effect.ignore))
  const call = <A>(operation: string, run: (signal: AbortSignal) => Promise<A>) =>
    Effect.tryPromise({ try: run, catch: toError(operation) }).pipe(
      Effect.timeoutOrElse({
        duration: options.timeout ?? defaultTimeout,
        orElse: () => Effect.fail(toError(operation)("no response in time"))
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
    // One search at a time: a full spool has 1 GiB.
    find: (id) =>
      turn.withPermit(call("find", () => reader.find(id))).pipe(Effect.map(Option.fromUndefinedOr)),
    status: call("status", () => reader.status())
  })
})

/**
 * Keeps the spool in a folder of this machine: an append-only log in segments, with a checksum per record and one sync per batch. The layer
 * always builds. While the folder is unusable, operations fail with `Unavailable`, and the next call tries again. A damaged segment is set
 * aside when all its readable clicks are stored.
 */
export const layer = (options: SpoolLogOptions): Layer.Layer<Spool> => Layer.effect(Spool, make(options))

/** Reads every file of the spool, counts the waiting clicks and finds the damaged files. Takes a second per GiB if the files are cached. */
export const check = (options: SpoolLogOptions): Effect.Effect<SpoolCheck, SpoolError> =>
  Effect.tryPromise({ try: () => open(options).reader.check(), catch: toError("check") })
