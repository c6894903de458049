import { Context, type Effect, type Option, Schema, type Stream } from "effect"
import type { Uuid } from "../../../values/Uuid.ts"
import type { ClickEvent } from "../../ClickEvent.ts"
import type { QuarantinedClick } from "../Quarantine.ts"

/** A click that waits for the store, with the original of what could not be stored of it. */
export interface SpooledClick {
  readonly event: ClickEvent
  readonly quarantined: QuarantinedClick | null
}

/** Clicks that were read from a segment, in the order in which they were appended. */
export interface SpoolBatch {
  readonly clicks: ReadonlyArray<SpooledClick>
  /** The segment they are in: the unit in which the spool discards clicks. */
  readonly segment: string
  /** Whether the segment has no more clicks. Its last batch may be empty. */
  readonly isLast: boolean
}

/** How much is waiting, for operators. */
export const SpoolStatus = Schema.Struct({
  depth: Schema.Int.annotate({ description: "Clicks waiting for the database" }),
  bytes: Schema.Int.annotate({ description: "Bytes used on disk" }),
  max_bytes: Schema.Int.annotate({ description: "Bytes it may use; beyond them, clicks are dropped" }),
  oldest: Schema.NullOr(Schema.DateFromString).annotate({
    description: "When the oldest waiting clicks were spooled"
  }),
  set_aside: Schema.Int.annotate({
    description: "Damaged spool files that were set aside for inspection"
  }),
  disk_full: Schema.Boolean.annotate({
    description: "Whether its disk is full. If so, clicks that the database does not accept are dropped"
  })
}).annotate({ identifier: "SpoolStatus" })
export interface SpoolStatus extends Schema.Schema.Type<typeof SpoolStatus> {}

/** `Full`: the allowed space is used up. `Unavailable`: the disk refuses; the next call may succeed. */
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
 * Where accepted clicks wait while the store is unavailable: a log in segments, first in, first out. A segment is discarded as
 * a whole, so a click may be read again after it was stored; its id makes storing it twice harmless.
 */
export class Spool extends Context.Service<
  Spool,
  {
    /** Appends the clicks, all or none. When it returns they survive a power cut. */
    readonly append: (clicks: ReadonlyArray<SpooledClick>) => Effect.Effect<void, SpoolError>
    /**
     * Reads the waiting clicks, oldest first, in batches of at most `batchSize`, and ends when there are no more. They stay in
     * the spool. Clicks that another live process has spooled are left to that process.
     */
    readonly waiting: (batchSize: number) => Stream.Stream<SpoolBatch, SpoolError>
    /** Discards a segment that `waiting` has read to its end. Only when all its clicks are stored or quarantined. */
    readonly discard: (segment: string) => Effect.Effect<void, SpoolError>
    /** A click that waits, of any process that shares the spool. Takes a second if the spool is full. */
    readonly find: (id: Uuid) => Effect.Effect<Option.Option<SpooledClick>, SpoolError>
    readonly status: Effect.Effect<SpoolStatus, SpoolError>
  }
>()("@clicks/core/clicks/recording/Spool") {}
