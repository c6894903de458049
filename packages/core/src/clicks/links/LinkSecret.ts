import { Context, type Effect } from "effect"
import type { PortError } from "../../values/PortError.ts"

/** The secret that signs click links. */
export class LinkSecret extends Context.Service<
  LinkSecret,
  {
    /** 32 random bytes, made by the first call of any process and the same for all that follow. */
    readonly get: Effect.Effect<Uint8Array, PortError>
  }
>()("@clicks/core/clicks/links/LinkSecret") {}
