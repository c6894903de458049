import { Context, type Effect } from "effect"
import { pageOf } from "../../values/Parameter.ts"
import type { PortError } from "../../values/PortError.ts"
import type { Uuid } from "../../values/Uuid.ts"
import type { ClickEvent } from "../ClickEvent.ts"

/** The parameter of a listing of the newest entries. */
export const quarantineParameters = { limit: pageOf("entries").limit }

/** A click exactly as it was sent, kept because it could not be stored as sent. */
export interface QuarantinedClick {
  /** The id of the click. It is stored unless `reason` says that the store rejected it. */
  readonly click_id: Uuid
  readonly received_at: Date
  /** What could not be stored and why, in words. */
  readonly reason: string
  /** The bytes as they were sent. */
  readonly original: Uint8Array
}

/** The quarantine entry of a click that the store rejected. */
export const refusal = ({ id, received_at }: ClickEvent, original: Uint8Array): QuarantinedClick => ({
  click_id: id,
  received_at,
  reason: "rejected by the database",
  original
})

/** Keeps originals until an operator inspects them. */
export class Quarantine extends Context.Service<
  Quarantine,
  {
    /** Keeps the entries. Entries for the same click with the same reason are kept once. */
    readonly put: (entries: ReadonlyArray<QuarantinedClick>) => Effect.Effect<void, PortError>
    /** The newest entries by `received_at`, at most `limit`. */
    readonly list: (limit: number) => Effect.Effect<ReadonlyArray<QuarantinedClick>, PortError>
    /** The reasons why originals of this click are kept, oldest first; empty if none is kept. */
    readonly reasonsOf: (id: Uuid) => Effect.Effect<ReadonlyArray<string>, PortError>
    readonly count: Effect.Effect<number, PortError>
    /** Deletes the entries whose `received_at` is before the instant. Returns their number. */
    readonly removeBefore: (instant: Date) => Effect.Effect<number, PortError>
  }
>()("@clicks/core/clicks/recording/Quarantine") {}
