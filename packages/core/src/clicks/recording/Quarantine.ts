import { Context, type Effect, Schema } from "effect"
import type { Uuid } from "../../values/Uuid.ts"

/** What was sent, kept as it came, when storing it as a click lost something. */
export interface QuarantinedClick {
  /** The click it belongs to; stored or, when `reason` says that the store refused it, not. */
  readonly click_id: Uuid
  readonly received_at: Date
  /** What could not be stored and why, for a person. */
  readonly reason: string
  /** The bytes as they were sent. */
  readonly original: Uint8Array
}

/** The quarantine cannot be reached. Sending the same entries again is safe. */
export class QuarantineError extends Schema.TaggedError<QuarantineError>()("QuarantineError", {
  operation: Schema.String,
  cause: Schema.Defect()
}) {
  override get message(): string {
    return `The quarantine cannot be reached (${this.operation})`
  }
}

/** Where originals wait for a person to look at them. */
export class Quarantine extends Context.Service<
  Quarantine,
  {
    /** Keeps the entries; one for the same click with the same reason is kept once. */
    readonly put: (entries: ReadonlyArray<QuarantinedClick>) => Effect.Effect<void, QuarantineError>
    /** The newest entries by `received_at`, at most `limit`. */
    readonly list: (limit: number) => Effect.Effect<ReadonlyArray<QuarantinedClick>, QuarantineError>
    readonly count: Effect.Effect<number, QuarantineError>
    /** Forgets the entries whose `received_at` is earlier, and returns how many they were. */
    readonly removeBefore: (instant: Date) => Effect.Effect<number, QuarantineError>
  }
>()("@clicks/core/clicks/recording/Quarantine") {}
