import { Context, type Effect } from "effect"
import type { PortError } from "../../values/PortError.ts"
import type { Uuid } from "../../values/Uuid.ts"
import type { ClickEvent } from "../ClickEvent.ts"

/** What was sent, kept as it came, when storing it as a click lost something. */
export interface QuarantinedClick {
  /** The click of the original. It is stored, unless `reason` says that the store refused it. */
  readonly click_id: Uuid
  readonly received_at: Date
  /** What could not be stored and why, for a person. */
  readonly reason: string
  /** The bytes as they were sent. */
  readonly original: Uint8Array
}

/** What is kept of a click that the store refused: all of it, as it was sent. */
export const refusal = ({ id, received_at }: ClickEvent, original: Uint8Array): QuarantinedClick => ({
  click_id: id,
  received_at,
  reason: "refused by the store",
  original
})

/** Keeps originals until an operator inspects them. */
export class Quarantine extends Context.Service<
  Quarantine,
  {
    /** Keeps the entries; one for the same click with the same reason is kept once. */
    readonly put: (entries: ReadonlyArray<QuarantinedClick>) => Effect.Effect<void, PortError>
    /** The newest entries by `received_at`, at most `limit`. */
    readonly list: (limit: number) => Effect.Effect<ReadonlyArray<QuarantinedClick>, PortError>
    /** Why originals of this click are kept, oldest first; empty if none is. */
    readonly reasonsOf: (id: Uuid) => Effect.Effect<ReadonlyArray<string>, PortError>
    readonly count: Effect.Effect<number, PortError>
    /** Deletes the entries whose `received_at` is earlier. Returns their number. */
    readonly removeBefore: (instant: Date) => Effect.Effect<number, PortError>
  }
>()("@clicks/core/clicks/recording/Quarantine") {}
