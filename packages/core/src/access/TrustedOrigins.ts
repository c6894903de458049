import { Context, type Effect, type Option, Schema } from "effect"
import type { PortError } from "../values/PortError.ts"
import type { TrustedOrigin, TrustedOriginFields } from "./TrustedOrigin.ts"

/** Another entry has this value already. */
export class RepeatedTrustedOrigin extends Schema.TaggedError<RepeatedTrustedOrigin>()(
  "RepeatedTrustedOrigin",
  {
    value: Schema.String
  }
) {
  override get message(): string {
    return `There is an entry with the value ${this.value} already`
  }
}

/** The list of trusted origins, as it is kept. Values are in normal form; no two entries have the same. */
export class TrustedOrigins extends Context.Service<
  TrustedOrigins,
  {
    /** All entries, also those that are not enabled, newest first. */
    readonly list: Effect.Effect<ReadonlyArray<TrustedOrigin>, PortError>
    readonly add: (
      fields: TrustedOriginFields
    ) => Effect.Effect<TrustedOrigin, RepeatedTrustedOrigin | PortError>
    /** Replaces what an entry says; none when there is no entry with this id. */
    readonly update: (
      id: string,
      fields: TrustedOriginFields
    ) => Effect.Effect<Option.Option<TrustedOrigin>, RepeatedTrustedOrigin | PortError>
    /** Takes an entry away and returns it; none when there is no entry with this id. */
    readonly remove: (id: string) => Effect.Effect<Option.Option<TrustedOrigin>, PortError>
  }
>()("@clicks/core/access/TrustedOrigins") {}
