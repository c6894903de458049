import { LinkSecret } from "@clicks/core/clicks/links/LinkSecret"
import { randomBytes } from "@clicks/core/values/WebCrypto"
import { Effect, Layer } from "effect"

/** A secret of this process. Links signed with it become invalid when the process ends. */
export const layer: Layer.Layer<LinkSecret> = Layer.sync(LinkSecret, () => {
  const secret = randomBytes(32)
  return { get: Effect.succeed(secret) }
})
