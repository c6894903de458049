import { Context, type Effect, Schema } from "effect"
import type { ClickEvent } from "./ClickEvent.ts"
import type { QuarantinedClick } from "./Quarantine.ts"

/** A click that waits for the store, with the original of what could not be stored of it. */
export interface SpooledClick {
  readonly event: ClickEvent
  readonly quarantined: QuarantinedClick | null
}

/** A waiting click and its place in the line. */
export interface SpoolEntry extends SpooledClick {
  readonly position: number
}

/** How much waits, for operators. */
export const SpoolStatus = Schema.Struct({
  depth: Schema.Int.annotate({ description: "Clicks that wait for the database" }),
  bytes: Schema.Int.annotate({ description: "Space taken on disk" }),
  max_bytes: Schema.Int.annotate({ description: "Space it may take; beyond, clicks are dropped" }),
  oldest: Schema.NullOr(Schema.DateFromString).annotate({
    description: "received_at of the click that waits longest"
  }),
  set_aside: Schema.Int.annotate({
    description: "Damaged spool files that were set aside and wait for a person"
  }),
  disk_full: Schema.Boolean.annotate({
    description: "Whether its disk has no room left; then clicks that the database does not take are dropped"
  })
}).annotate({ identifier: "SpoolStatus" })
export interface SpoolStatus extends Schema.Schema.Type<typeof SpoolStatus> {}

/** `Full`: the allowed space is used up. `Unavailable`: the disk or the file refuses; the next call may succeed. */
export class SpoolError extends Schema.TaggedError<SpoolError>()("SpoolError", {
  operation: Schema.String,
  reason: Schema.Literals(["Full", "Unavailable"]),
  cause: Schema.Defect()
}) {
  override get message(): string {
    return this.reason === "Full" ? "The spool is full" : `The spool cannot be used (${this.operation})`
  }
}

/** Where accepted clicks wait while the store cannot take them. First in, first out. */
export class Spool extends Context.Service<
  Spool,
  {
    /** Puts the clicks at the end of the line, all or none. When it returns they survive a power cut. */
    readonly append: (clicks: ReadonlyArray<SpooledClick>) => Effect.Effect<void, SpoolError>
    /** The clicks at the head of the line, or of those behind the position `after`, at most `limit`. They stay there. */
    readonly peek: (limit: number, after?: number) => Effect.Effect<ReadonlyArray<SpoolEntry>, SpoolError>
    /** Takes clicks out of the line: those at these positions. Only for clicks that are stored or quarantined. */
    readonly remove: (positions: ReadonlyArray<number>) => Effect.Effect<void, SpoolError>
    readonly status: Effect.Effect<SpoolStatus, SpoolError>
  }
>()("@clicks/core/clicks/Spool") {}
