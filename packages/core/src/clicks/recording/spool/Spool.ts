import { Context, type Effect, type Option, Schema, type Stream } from "effect"
import type { Uuid } from "../../../values/Uuid.ts"
import type { ClickEvent } from "../../ClickEvent.ts"
import type { QuarantinedClick } from "../Quarantine.ts"

/** A click that waits for the store, with its original if some values could not be stored as sent. */
export interface SpooledClick {
  readonly event: ClickEvent
  readonly quarantined: QuarantinedClick | null
}

/** Clicks that were read from a segment, in the order in which they were appended. */
export interface SpoolBatch {
  readonly clicks: ReadonlyArray<SpooledClick>
  /** The segment that contains them. The spool discards clicks by whole segments. */
  readonly segment: string
  /** Whether the segment has no more clicks. Its last batch may be empty. */
  readonly isLast: boolean
}

/** The state of the spool, for operators. */
export const SpoolStatus = Schema.Struct({
  depth: Schema.Int.annotate({ description: "Clicks waiting for the database" }),
  bytes: Schema.Int.annotate({ description: "Bytes used on disk" }),
  max_bytes: Schema.Int.annotate({ description: "Maximum bytes on disk; beyond them, clicks are dropped" }),
  oldest: Schema.NullOr(Schema.DateFromString).annotate({
    description: "When the oldest waiting clicks were spooled"
  }),
  set_aside: Schema.Int.annotate({
    description: "Damaged spool files that were set aside for inspection"
  }),
  disk_full: Schema.Boolean.annotate({
    description:
      "Whether the disk of the spool is full. If so, clicks that the database does not accept are dropped"
  })
}).annotate({ identifier: "SpoolStatus" })
export interface SpoolStatus extends Schema.Schema.Type<typeof SpoolStatus> {}

/** `Full`: the allowed space is used up. `Unavailable`: the disk reports an error; the next call may succeed. */
export class SpoolError extends Schema.TaggedError<SpoolError>()("SpoolError", {
  operation: Schema.String,
  reason: Schema.Literals(["Full", "Unavailable"]),
  cause: Schema.Defect()
}) {
  override get message(): string {
    return this.reason === "Full" ? "The spool is full" : `The spool cannot be used (${this.operation})`
  }
}

/**
 * A log in segments, first in, first out, where accepted clicks wait while the store is unavailable. Segments are discarded as a whole, so
 * a click may be read again after it was stored. Storing it twice is harmless, because its id stays the same.
 */
export class Spool extends Context.Service<
  Spool,
  {
    /** Appends the clicks, all or none. When it returns, they survive a power failure. */
    readonly append: (clicks: ReadonlyArray<SpooledClick>) => Effect.Effect<void, SpoolError>
    /**
     * Reads the waiting clicks, oldest first, in batches of at most `batchSize`, and ends when there are no more. The clicks stay in the
     * spool. Clicks spooled by another live process are left to that process.
     */
    readonly waiting: (batchSize: number) => Stream.Stream<SpoolBatch, SpoolError>
    /** Discards a segment that `waiting` has read to its end. Call it only when all its clicks are stored or quarantined. */
    readonly discard: (segment: string) => Effect.Effect<void, SpoolError>
    /** Finds a waiting click of any process that shares the spool. Takes a second if the spool is full. */
    readonly find: (id: Uuid) => Effect.Effect<Option.Option<SpooledClick>, SpoolError>
    readonly status: Effect.Effect<SpoolStatus, SpoolError>
  }
>()("@clicks/core/clicks/recording/Spool") {}
