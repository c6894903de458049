import { Effect, Layer } from "effect"
import { randomBytes } from "../../values/WebCrypto.ts"
import { LinkSecret } from "./LinkSecret.ts"

/** A secret of this process: its links end with it. */
export const layer: Layer.Layer<LinkSecret> = Layer.sync(LinkSecret, () => {
  const secret = randomBytes(32)
  return { get: Effect.succeed(secret) }
})
