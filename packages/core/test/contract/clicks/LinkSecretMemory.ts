import { LinkSecret } from "@clicks/core/clicks/links/LinkSecret"
import { randomBytes } from "@clicks/core/values/WebCrypto"
import { Effect, Layer } from "effect"

/** A secret of this process; its links do not outlive it. */
export const layer: Layer.Layer<LinkSecret> = Layer.sync(LinkSecret, () => {
  const secret = randomBytes(32)
  return { get: Effect.succeed(secret) }
})
