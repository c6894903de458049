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

/** The stored list of trusted origins. Values are normalised and unique. */
export class TrustedOrigins extends Context.Service<
  TrustedOrigins,
  {
    /** All entries, disabled ones too, newest first. */
    readonly list: Effect.Effect<ReadonlyArray<TrustedOrigin>, PortError>
    readonly add: (
      fields: TrustedOriginFields
    ) => Effect.Effect<TrustedOrigin, RepeatedTrustedOrigin | PortError>
    /** Replaces the fields of an entry; none when there is no such entry. */
    readonly update: (
      id: string,
      fields: TrustedOriginFields
    ) => Effect.Effect<Option.Option<TrustedOrigin>, RepeatedTrustedOrigin | PortError>
    /** Removes an entry and returns it; none when there is no such entry. */
    readonly remove: (id: string) => Effect.Effect<Option.Option<TrustedOrigin>, PortError>
  }
>()("@clicks/core/access/TrustedOrigins") {}
