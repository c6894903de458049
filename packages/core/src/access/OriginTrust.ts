import { Cache, Context, Duration, Effect, Exit, Layer } from "effect"
import { anonymous, authenticated, type Caller } from "./Caller.ts"
import { hostNameOfOrigin } from "./HostName.ts"
import { contains, parseIpAddress, parseIpRange } from "./IpRange.ts"
import type { TrustEffect, TrustedOriginFields, TrustedOriginKind } from "./TrustedOrigin.ts"
import { TrustedOrigins } from "./TrustedOrigins.ts"

/** A list of trusted origins, prepared for lookups. */
export interface OriginMatcher {
  /** Whether an enabled entry of the kind `address` names this client address. */
  readonly matchesAddress: (address: string) => boolean
  /** Whether an enabled entry of the kind `domain` or `pattern` names the host of this `Origin` header. */
  readonly matchesOrigin: (origin: string) => boolean
}

export const compile = (entries: ReadonlyArray<TrustedOriginFields>): OriginMatcher => {
  const enabled = entries.filter((entry) => entry.enabled)
  const ranges = enabled.flatMap(({ kind, value }) => (kind === "address" ? (parseIpRange(value) ?? []) : []))
  const hosts = new Set(enabled.flatMap(({ kind, value }) => (kind === "address" ? [] : value)))
  return {
    matchesAddress: (text) => {
      const address = parseIpAddress(text)
      return address !== undefined && ranges.some((range) => contains(range, address))
    },
    matchesOrigin: (origin) => {
      const host = hostNameOfOrigin(origin)
      // The star of a pattern matches the first label.
      return host !== undefined && (hosts.has(host) || hosts.has(host.replace(/^[^.]+\./, "*.")))
    }
  }
}

/** A client without a credential. Null means unknown. */
export interface Client {
  /** The address of the connection; never one that only the client claims. */
  readonly address: string | null
  /** The `Origin` header. */
  readonly origin: string | null
}

/**
 * Determines what a client may do, from the list of trusted origins. Reads the list at most every five minutes, or after `forget`. If it
 * cannot be read, no client is trusted.
 */
export class OriginTrust extends Context.Service<
  OriginTrust,
  {
    /** The caller for a client without a credential: a reader without a user id if it is trusted, else anonymous. */
    readonly callerOf: (client: Client) => Effect.Effect<Caller>
    /** Whether pages of this origin may read responses. */
    readonly mayRead: (origin: string) => Effect.Effect<boolean>
    /** The effect of entries of this kind with these options. */
    readonly effectOf: (kind: TrustedOriginKind) => TrustEffect
    /** Drops the cached list after a change; the next client reads it again. */
    readonly forget: Effect.Effect<void>
  }
>()("@clicks/core/access/OriginTrust") {}

export interface OriginTrustOptions {
  /**
   * Whether an `Origin` header grants access. Clients can forge it: enable this only behind a proxy that checks it.
   */
  readonly trustOriginHeader: boolean
}

/** Lifetime of a list in the cache. A change made by another process takes effect after this at the latest. */
const freshFor = Duration.minutes(5)
/** Lifetime of a failure. Short, so that trust soon returns; not zero, so that not every client waits for the timeout. */
const failedFor = Duration.seconds(5)

/** How long reading the list may take; a client without a credential waits for it. */
const within = Duration.seconds(3)

const whole = "list"

const reader = authenticated(null, "reader")

const make = Effect.fnUntraced(function* ({ trustOriginHeader }: OriginTrustOptions) {
  const origins = yield* TrustedOrigins
  const cache = yield* Cache.makeWith(
    () =>
      origins.list.pipe(
        Effect.map(compile),
        Effect.timeout(within),
        Effect.tapError((error) =>
          Effect.logError("Loading trusted origins failed; trusting none for now", error)
        )
      ),
    { capacity: 1, timeToLive: (exit) => (Exit.isSuccess(exit) ? freshFor : failedFor) }
  )
  const matcher = Cache.get(cache, whole).pipe(Effect.orElseSucceed(() => compile([])))

  const callerOf = Effect.fnUntraced(function* ({ address, origin }: Client) {
    const provenOrigin = trustOriginHeader ? origin : null
    if (address === null && provenOrigin === null) return anonymous
    const { matchesAddress, matchesOrigin } = yield* matcher
    const isTrusted =
      (address !== null && matchesAddress(address)) || (provenOrigin !== null && matchesOrigin(provenOrigin))
    return isTrusted ? reader : anonymous
  })

  return OriginTrust.of({
    callerOf,
    mayRead: (origin) => Effect.map(matcher, ({ matchesOrigin }) => matchesOrigin(origin)),
    effectOf: (kind) => (kind === "address" || trustOriginHeader ? "bypass" : "cors"),
    forget: Cache.invalidate(cache, whole)
  })
})

/** Uses the list of `TrustedOrigins`. */
export const layer = (options: OriginTrustOptions): Layer.Layer<OriginTrust, never, TrustedOrigins> =>
  Layer.effect(OriginTrust, make(options))
