import { Context, Data, Deferred, Effect, Layer, type Option, Schedule } from "effect"
import { type Hmac, hmac } from "../../values/WebCrypto.ts"
import { type ClickLink, fromToken } from "./ClickLink.ts"
import { LinkSecret } from "./LinkSecret.ts"

/** The secret has not been read, because the database has been unavailable since the start. */
export class LinksUnavailable extends Data.TaggedError("LinksUnavailable") {}

/** Opens click links. */
export class ClickLinks extends Context.Service<
  ClickLinks,
  {
    /** The link of a token; none if it is forged or changed. */
    readonly open: (token: string) => Effect.Effect<Option.Option<ClickLink>, LinksUnavailable>
  }
>()("@clicks/core/clicks/links/ClickLinks") {}

const retries = Schedule.min([Schedule.exponential("200 millis"), Schedule.spaced("5 seconds")])

// A process that has just started reads the secret in milliseconds.
const patience = "2 seconds"

const make = Effect.gen(function* () {
  const { get } = yield* LinkSecret
  const ready = yield* Deferred.make<Hmac>()
  yield* Effect.retry(get, retries).pipe(
    Effect.flatMap((secret) => Effect.promise(() => hmac(secret))),
    Effect.flatMap((key) => Deferred.succeed(ready, key)),
    Effect.forkScoped
  )
  return ClickLinks.of({
    open: Effect.fn("ClickLinks.open")(function* (token) {
      const key = yield* Effect.timeoutOrElse(Deferred.await(ready), {
        duration: patience,
        orElse: () => new LinksUnavailable()
      })
      return yield* Effect.promise(() => fromToken(token, key))
    })
  })
})

/** Reads the secret once, as soon as possible, and keeps it in memory, so links work while the database is down. */
export const layer: Layer.Layer<ClickLinks, never, LinkSecret> = Layer.effect(ClickLinks, make)
